// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.Registration;
import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ExtendResult;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Claims that join the transaction of the calling thread if it has one on their data source. Listeners are called after its commit.
 * Otherwise each call runs in a transaction of its own.
 */
record TransactionalClaims(Claims claims, CallersTransaction transaction) implements Claims {

    /** Runs a task after the commit of the current transaction. */
    private record AfterCommit(Runnable task) implements TransactionSynchronization {

        static void run(Runnable task) {
            TransactionSynchronizationManager.registerSynchronization(new AfterCommit(task));
        }

        @Override
        public void afterCommit() {
            task.run();
        }
    }

    private <T> T call(Function<Claims, T> call) {
        return transaction
                .use(connection -> call.apply(claims.in(connection, AfterCommit::run)))
                .orElseGet(() -> call.apply(claims));
    }

    @Override
    public ReserveResult reserve(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, @Nullable String correlationId) {
        return call(joined -> joined.reserve(type, value, ttl, correlationId));
    }

    @Override
    public ReserveResult reserveIdempotent(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, String correlationId) {
        return call(joined -> joined.reserveIdempotent(type, value, ttl, correlationId));
    }

    @Override
    public ConfirmResult confirm(String reservationId, ClaimToken token, String entityId) {
        return call(joined -> joined.confirm(reservationId, token, entityId));
    }

    @Override
    public ConfirmResult confirm(String reservationId, String entityId) {
        return call(joined -> joined.confirm(reservationId, entityId));
    }

    @Override
    public ReleaseResult release(String reservationId, ClaimToken token) {
        return call(joined -> joined.release(reservationId, token));
    }

    @Override
    public ReleaseResult release(String reservationId) {
        return call(joined -> joined.release(reservationId));
    }

    @Override
    public ExtendResult extend(String reservationId, ClaimToken token, @Nullable Duration ttl) {
        return call(joined -> joined.extend(reservationId, token, ttl));
    }

    @Override
    public ReleaseResult releaseConfirmed(String key, String entityId) {
        return call(joined -> joined.releaseConfirmed(key, entityId));
    }

    @Override
    public boolean isReserved(String type, String value) {
        return call(joined -> joined.isReserved(type, value));
    }

    @Override
    public boolean isAvailable(String type, String value) {
        return call(joined -> joined.isAvailable(type, value));
    }

    @Override
    public Optional<Claim> findReservation(ClaimQuery query) {
        return call(joined -> joined.findReservation(query));
    }

    @Override
    public Claim getReservation(String reservationId) {
        return call(joined -> joined.getReservation(reservationId));
    }

    @Override
    public List<Claim> findByEntityId(String entityId) {
        return call(joined -> joined.findByEntityId(entityId));
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() {
        return call(Claims::countByStatus);
    }

    @Override
    public Duration expirationLag() {
        return call(Claims::expirationLag);
    }

    @Override
    public int expireReservations(int batchSize) {
        return call(joined -> joined.expireReservations(batchSize));
    }

    @Override
    public Claims in(Connection connection) {
        return claims.in(connection);
    }

    @Override
    public Claims in(Connection connection, Executor afterCommit) {
        return claims.in(connection, afterCommit);
    }

    @Override
    public Registration onEvent(ClaimListener listener) {
        return claims.onEvent(listener);
    }

    @Override
    public void close() {
        claims.close();
    }
}
