// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.claim.Claim;
import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.store.ClaimChange;
import com.github.reservation.claim.store.ClaimRef;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.NewClaim;
import com.github.reservation.claim.store.ReserveOutcome;
import com.github.reservation.claim.store.StoredClaim;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.internal.sql.StoreConnections;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxMessage;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Claims whose changes are appended to an outbox, in the transaction of the change: one of its own, or a caller's.
 *
 * <p>The change comes first, so that the lock on its row gives the events of a claim their order. If the reply of a commit is lost, a
 * {@code reserve} that is sent again finds its own claim and appends a second event, equal to the first.
 */
public final class OutboxClaimStore implements TransactionalClaimStore, PurgingStore {

    /** A change and its events. */
    @FunctionalInterface
    private interface Change<T> {
        T make(ClaimStore store, List<ClaimEvent> events) throws StoreException;
    }

    /** Runs a change in a transaction. */
    @FunctionalInterface
    private interface Changes {
        <T> T run(Change<T> change) throws StoreException;
    }

    private final TransactionalClaimStore store;
    private final PurgingStore purging;
    private final Outbox outbox;
    private final Changes changes;

    private OutboxClaimStore(TransactionalClaimStore store, PurgingStore purging, Outbox outbox, Changes changes) {
        this.store = store;
        this.purging = purging;
        this.outbox = outbox;
        this.changes = changes;
    }

    /** Returns a store that makes each change in a transaction of its own. */
    public static <S extends TransactionalClaimStore & PurgingStore> OutboxClaimStore of(
            S store, Outbox outbox, StoreConnections connections) {
        return new OutboxClaimStore(store, store, outbox, new Changes() {
            @Override
            public <T> T run(Change<T> change) throws StoreException {
                return connections.transact(connection -> make(change, store, outbox, connection));
            }
        });
    }

    @Override
    public TransactionalClaimStore in(Connection connection) {
        return new OutboxClaimStore(store.in(connection), purging, outbox, new Changes() {
            @Override
            public <T> T run(Change<T> change) throws StoreException {
                return make(change, store, outbox, connection);
            }
        });
    }

    private static <T> T make(Change<T> change, TransactionalClaimStore store, Outbox outbox, Connection connection)
            throws StoreException {
        List<ClaimEvent> events = new ArrayList<>();
        T result = change.make(store.in(connection), events);
        if (!events.isEmpty()) {
            append(outbox, connection, events);
        }
        return result;
    }

    private static void append(Outbox outbox, Connection connection, List<ClaimEvent> events) throws StoreException {
        try {
            outbox.appendAll(connection, events.stream()
                    .map(event -> new OutboxMessage(event.reservationId(), event))
                    .toList());
        } catch (RuntimeException e) {
            throw e.getCause() instanceof StoreException cause
                    ? cause
                    : new StoreException(
                            Kind.MISCONFIGURED, "The event of a claim cannot be appended: " + e.getMessage(), e);
        }
    }

    @Override
    public ReserveOutcome reserve(NewClaim wanted) throws StoreException {
        return changes.run((tx, events) -> {
            ReserveOutcome outcome = tx.reserve(wanted);
            if (outcome instanceof ReserveOutcome.Granted granted) {
                granted.lapsed().ifPresent(lapsed -> events.add(Reserver.endOf(wanted, lapsed)));
                events.add(Reserver.eventOf(wanted, granted));
            }
            return outcome;
        });
    }

    @Override
    public ClaimChange confirm(ClaimRef claim, String entityId) throws StoreException {
        return changes.run((tx, events) -> {
            ClaimChange change = tx.confirm(claim, entityId);
            if (change instanceof ClaimChange.Done done) {
                String id = claim.reservationId();
                events.add(new ClaimConfirmed(id, typeOf(tx, id, done), entityId, done.at()));
            }
            return change;
        });
    }

    private static String typeOf(ClaimStore tx, String id, ClaimChange.Done done) throws StoreException {
        return done.type().isPresent() ? done.type().get() : tx.find(id).orElseThrow().claim().type();
    }

    @Override
    public ClaimChange release(ClaimRef claim) throws StoreException {
        return changes.run((tx, events) -> released(tx, claim.reservationId(), tx.release(claim), events));
    }

    @Override
    public ClaimChange releaseConfirmed(String reservationId, String entityId) throws StoreException {
        return changes
                .run((tx, events) -> released(tx, reservationId, tx.releaseConfirmed(reservationId, entityId), events));
    }

    private static ClaimChange released(ClaimStore tx, String id, ClaimChange change, List<ClaimEvent> events)
            throws StoreException {
        if (change instanceof ClaimChange.Done done) {
            events.add(new ClaimReleased(id, typeOf(tx, id, done), done.at()));
        }
        return change;
    }

    @Override
    public List<ClaimExpired> expire(int limit) throws StoreException {
        return changes.run((tx, events) -> {
            List<ClaimExpired> over = tx.expire(limit);
            events.addAll(over);
            return over;
        });
    }

    @Override
    public ClaimChange extend(ClaimRef claim, Duration ttl) throws StoreException {
        return store.extend(claim, ttl);
    }

    @Override
    public Optional<StoredClaim> find(String reservationId) throws StoreException {
        return store.find(reservationId);
    }

    @Override
    public List<Claim> findByEntity(String entityId) throws StoreException {
        return store.findByEntity(entityId);
    }

    @Override
    public Map<ClaimStatus, Long> countByStatus() throws StoreException {
        return store.countByStatus();
    }

    @Override
    public Duration lag() throws StoreException {
        return store.lag();
    }

    @Override
    public Object purgeScope() {
        return purging.purgeScope();
    }

    @Override
    public boolean purge() throws StoreException {
        return purging.purge();
    }
}
