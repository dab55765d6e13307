// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome.Lapsed;
import com.github.reservation.claim.store.StoredClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A claim in memory, one owner after another replaces it. Guarded by the lock of {@link MemoryClaims}. */
final class ClaimRow {

    private final NewClaim owner;
    private final Instant createdAt;
    private ClaimStatus status = ClaimStatus.RESERVED;
    private Instant expiresAt;
    private @Nullable String entityId;
    private @Nullable Instant confirmedAt;
    private @Nullable Instant releasedAt;
    private long version;
    private Instant updatedAt;

    ClaimRow(NewClaim owner, long version, Instant now) {
        this.owner = owner;
        this.version = version;
        this.createdAt = now;
        this.updatedAt = now;
        this.expiresAt = now.plus(owner.ttl());
    }

    boolean isActive(Instant now) {
        return status == ClaimStatus.RESERVED && expiresAt.isAfter(now);
    }

    boolean isFree(Instant now) {
        return status != ClaimStatus.CONFIRMED && !isActive(now);
    }

    boolean isConfirmedFor(String entity) {
        return status == ClaimStatus.CONFIRMED && entity.equals(entityId);
    }

    /** Returns what ended without being marked, once it is free. */
    Optional<Lapsed> lapsed() {
        return status == ClaimStatus.RESERVED
                ? Optional.of(new Lapsed(expiresAt, Optional.ofNullable(owner.correlationId())))
                : Optional.empty();
    }

    void confirm(String entity, Instant now) {
        change(ClaimStatus.CONFIRMED, now);
        entityId = entity;
        confirmedAt = now;
    }

    void release(Instant now) {
        change(ClaimStatus.RELEASED, now);
        releasedAt = now;
    }

    void extend(Duration ttl, Instant now) {
        change(ClaimStatus.RESERVED, now);
        Instant later = now.plus(ttl);
        expiresAt = later.isAfter(expiresAt) ? later : expiresAt;
    }

    ClaimExpired expire(Instant now) {
        change(ClaimStatus.EXPIRED, now);
        return new ClaimExpired(
                owner.reservationId(), owner.type(), owner.key(), Optional.ofNullable(owner.correlationId()),
                expiresAt);
    }

    private void change(ClaimStatus next, Instant now) {
        status = next;
        updatedAt = now;
        version++;
    }

    String token() {
        return owner.token();
    }

    StoredClaim stored(Instant now) {
        return new StoredClaim(claim(now), token());
    }

    Claim claim(Instant now) {
        return new Claim(
                owner.reservationId(),
                owner.key(),
                owner.type(),
                owner.value(),
                status == ClaimStatus.RESERVED && !isActive(now) ? ClaimStatus.EXPIRED : status,
                expiresAt,
                isActive(now) ? Duration.between(now, expiresAt) : Duration.ZERO,
                Optional.ofNullable(entityId),
                Optional.ofNullable(confirmedAt),
                Optional.ofNullable(releasedAt),
                Optional.ofNullable(owner.correlationId()),
                version,
                createdAt,
                updatedAt);
    }

    /** Returns whether it was never marked, although it is over. */
    boolean isUnmarked(Instant now) {
        return status == ClaimStatus.RESERVED && !isActive(now);
    }
}
