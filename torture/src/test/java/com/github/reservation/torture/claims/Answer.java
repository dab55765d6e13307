// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ExtendResult;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a call answered, as the journal notes it.
 *
 * @param token what the caller got. Nobody may use it before the answer is noted: if the process is killed in between, nobody would know whose it is
 */
record Answer(String result, Optional<ClaimToken> token, Object... facts) {

    static Answer of(String result, Object... facts) {
        return new Answer(result, Optional.empty(), facts);
    }

    static Answer failed(Exception e) {
        return of("failed", "why", e.getClass().getSimpleName());
    }

    static Answer rolledBack(String why) {
        return of("rolled-back", "why", why);
    }

    static Answer of(ReserveResult result) {
        return switch (result) {
            case ReserveResult.Success success -> new Answer(
                    success.existing() ? "existing" : "success",
                    Optional.of(success.token()),
                    "token", ClaimWorkload.digest(success.token()),
                    "version", success.version(),
                    "until", ClaimWorkload.micros(success.expiresAt()));
            case ReserveResult.Conflict conflict -> of("conflict", "status", conflict.existingStatus())
                    .and(conflict.existingExpiresAt().map(end -> new Object[]{"until", ClaimWorkload.micros(end)}));
            case ReserveResult.Failure failure -> throw new IllegalStateException("Refused: " + failure);
        };
    }

    static Answer of(ConfirmResult result) {
        return switch (result) {
            case ConfirmResult.Success success -> of("success");
            case ConfirmResult.Failure failure -> of(failure.code().name())
                    .and(failure.existingEntityId().map(entity -> new Object[]{"existing", entity}));
        };
    }

    static Answer of(ReleaseResult result) {
        return switch (result) {
            case ReleaseResult.Success success -> of("success");
            case ReleaseResult.Failure failure -> of(failure.code().name());
        };
    }

    static Answer of(ExtendResult result) {
        return switch (result) {
            case ExtendResult.Success success ->
                of("success", "until", ClaimWorkload.micros(success.expiresAt()));
            case ExtendResult.Failure failure -> of(failure.code().name());
        };
    }

    static Answer of(Optional<Claim> found) {
        return found
                .map(claim -> of(claim.status().name(),
                        "version", claim.version(),
                        "until", ClaimWorkload.micros(claim.expiresAt()))
                        .and(claim.entityId().map(entity -> new Object[]{"entity", entity})))
                .orElseGet(() -> of("none"));
    }

    /** Returns what is known if the commit has failed: a change was made or not. */
    Answer inDoubt(Exception e) {
        return result.equals("success") ? failed(e).and("doubts", 1) : rolledBack("nothing changed");
    }

    Answer and(Object... more) {
        List<Object> all = new ArrayList<>(Arrays.asList(facts));
        all.addAll(Arrays.asList(more));
        return new Answer(result, token, all.toArray());
    }

    private Answer and(Optional<Object[]> more) {
        return more.map(this::and).orElse(this);
    }
}
