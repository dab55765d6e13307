// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.Registration;
import com.github.reservation.ReservationException;
import com.github.reservation.Ticker;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.internal.claim.ClaimKey;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Holds unique values before their entities exist: reserve a value, then confirm it for an entity or release it. A claim that is
 * neither confirmed nor released ends by itself.
 *
 * {@snippet file="com/github/reservation/demo/ClaimExamplesTest.java" region="claims-first"}
 *
 * <p>Each value of a type has at most one claim that is reserved or confirmed, whatever happens: a unique key of the database decides,
 * and the database's clock decides what is over. Values are compared byte by byte: case, accents and blanks matter, unless a
 * normaliser of the builder changes them.
 *
 * <p><b>Results.</b> What a caller must expect is a result: a conflict, an argument that breaks a rule, a claim that is over. An
 * exception means that the answer is unknown: {@link ReservationException} if the store failed or is misconfigured.
 *
 * <p><b>Transactions.</b> A call runs in its own transaction, on its own connection. {@link #in} joins the transaction of a caller.
 *
 * <p><b>Who may do what.</b> The methods that take a {@link ClaimToken} change only the claim of that token. The forms without one
 * change the claim that the value has now: after the caller's claim has ended, that may be the claim of another caller. The id of a
 * claim can be computed from its value, so they do not protect against strangers either.
 *
 * <p>All methods block until the store answers, and none waits for a claim to end. Instances are thread-safe. Keep one for the life
 * of the application. It does not close the data source.
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public interface Claims extends AutoCloseable {

    /** The shortest time for which a value can be reserved. */
    Duration MIN_TTL = Duration.ofSeconds(1);

    /** The longest time for which a value can be reserved. */
    Duration MAX_TTL = Duration.ofHours(24);

    /** A good choice for a registration. There is no default: each claim says how long it needs. */
    Duration RECOMMENDED_TTL = Duration.ofMinutes(5);

    /** The most characters of a type, counted as {@link String#length()} does. */
    int MAX_TYPE_LENGTH = 64;

    /** The most characters of a value, counted as {@link String#length()} does. */
    int MAX_VALUE_LENGTH = 1_024;

    /**
     * Returns a builder for claims in a table of a relational database: PostgreSQL, MySQL, MariaDB, H2 or Oracle. Create the table
     * first, see {@link com.github.reservation.jdbc.Ddl}. Nothing is sent to the database before the first call.
     *
     * @throws NullPointerException if the data source is null
     */
    static JdbcClaimsBuilder jdbc(DataSource dataSource) {
        return new JdbcClaimsBuilder(dataSource);
    }

    /** Returns a builder for claims in the memory of this JVM, for tests. */
    static InMemoryClaimsBuilder inMemory() {
        return inMemory(Ticker.system());
    }

    /**
     * Returns a builder for claims in the memory of this JVM, with the given ticker as the store's clock: with a
     * {@link com.github.reservation.memory.ManualTicker} a test lets claims end.
     */
    static InMemoryClaimsBuilder inMemory(Ticker ticker) {
        return new InMemoryClaimsBuilder(ticker);
    }

    /**
     * Returns the id of the claim of a value: {@code res_} and 32 hex digits, computed from {@code type:value}. The same pair has the same
     * id in every process, so that other tools can find the row.
     *
     * @param value as it is stored: after the change that {@link ClaimsBuilder#normalize} makes
     * @throws IllegalArgumentException if the type or the value breaks its rule, see
     *     {@link #reserve(String, String, Duration, String)}
     */
    static String hashReservationId(String type, String value) {
        return ClaimKey.idOf(type, value);
    }

    /**
     * Returns a builder for claims on your own store.
     *
     * @throws NullPointerException if the store is null
     */
    static StoreClaimsBuilder on(ClaimStore store) {
        return new StoreClaimsBuilder(store);
    }

    /** Reserves a value without a correlation id, see {@link #reserve(String, String, Duration, String)}. */
    default ReserveResult reserve(@Nullable String type, @Nullable String value, @Nullable Duration ttl) {
        return reserve(type, value, ttl, null);
    }

    /**
     * Reserves a value for some time. A claim of the value that was released or is over does not count; one that is reserved or
     * confirmed is a conflict.
     *
     * <p>If the previous claim ended without having been marked as expired, listeners are called for it now. If the reply of the store
     * is lost, they are not.
     *
     * @param type the kind of value, such as {@code email}: 1 to 64 characters without a colon
     * @param value 1 to 1,024 characters
     * @param ttl from 1 second to 24 hours
     * @param correlationId a text by which the caller recognises the claim, or null; not empty, at most 256 bytes in UTF-8
     * @return a success, a conflict, or the rule that type, value or ttl break; also if one of these is null
     * @throws IllegalArgumentException if the correlation id breaks its rule
     * @throws ReservationException if the store failed
     */
    ReserveResult reserve(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, @Nullable String correlationId);

    /**
     * Reserves a value, or finds the claim that an earlier call with the same correlation id has reserved: then the success has its
     * token and its end, and {@link ReserveResult.Success#existing()} is true. So a caller that lost the answer can ask again. A claim
     * with another correlation id, or with none, is a conflict.
     *
     * <p>Anyone who knows the correlation id gets the token: choose one that others cannot guess.
     *
     * @throws NullPointerException if the correlation id is null
     * @throws IllegalArgumentException if the correlation id breaks its rule
     * @throws ReservationException if the store failed
     */
    ReserveResult reserveIdempotent(
            @Nullable String type, @Nullable String value, @Nullable Duration ttl, String correlationId);

    /**
     * Confirms a claim: the value belongs to the entity from now on. It succeeds once, and only before the claim's end.
     *
     * @param entityId not empty, at most 256 bytes in UTF-8
     * @throws IllegalArgumentException if the entity id breaks its rule
     * @throws NullPointerException if an argument is null
     * @throws ReservationException if the store failed
     */
    ConfirmResult confirm(String reservationId, ClaimToken token, String entityId);

    /**
     * Confirms the active claim that the id has now. <b>Unguarded</b>: if the caller's claim has ended and another caller has reserved
     * the value since, this confirms <em>that</em> claim for the entity. Prefer the form with a token.
     */
    ConfirmResult confirm(String reservationId, String entityId);

    /**
     * Releases a claim: the value is free at once.
     *
     * @throws NullPointerException if an argument is null
     * @throws ReservationException if the store failed
     */
    ReleaseResult release(String reservationId, ClaimToken token);

    /**
     * Releases the active claim that the id has now. <b>Unguarded</b>: it may be the claim of another caller, and anyone who knows the
     * value can compute the id. If the reply of the store gets lost, the library sends the release again, which may hit a claim that was
     * reserved in between. Prefer the form with a token.
     */
    ReleaseResult release(String reservationId);

    /**
     * Lets a claim end later: the given time from now, but never earlier than it would end anyway. A claim that is over stays over.
     *
     * @param ttl from 1 second to 24 hours
     * @throws NullPointerException if the id or the token is null
     * @throws ReservationException if the store failed
     */
    ExtendResult extend(String reservationId, ClaimToken token, @Nullable Duration ttl);

    /**
     * Frees the confirmed value of an entity that was deleted or renamed.
     *
     * @param key {@code type:value}, as {@link Claim#key()} returns it
     * @return a success; {@link ClaimErrorCode#RESERVATION_ALREADY_RELEASED} if this entity's value was freed before; or
     *     {@link ClaimErrorCode#RESERVATION_NOT_FOUND} if the value is not confirmed for this entity
     * @throws IllegalArgumentException if the key or the entity id breaks its rule
     * @throws ReservationException if the store failed
     */
    ReleaseResult releaseConfirmed(String key, String entityId);

    /**
     * Returns whether the value is held by a claim that is neither confirmed nor over. To know whether a value can be had, ask
     * {@link #isAvailable}, and to have it, {@link #reserve} it: in between, others may reserve it.
     *
     * @throws IllegalArgumentException if type or value break their rule
     * @throws ReservationException if the store failed
     */
    boolean isReserved(String type, String value);

    /**
     * Returns whether the value is neither reserved nor confirmed.
     *
     * @throws IllegalArgumentException if type or value break their rule
     * @throws ReservationException if the store failed
     */
    boolean isAvailable(String type, String value);

    /**
     * Returns the claim of an id or a value.
     *
     * @throws IllegalArgumentException if type or value break their rule
     * @throws ReservationException if the store failed
     */
    Optional<Claim> findReservation(ClaimQuery query);

    /**
     * Returns the claim of an id.
     *
     * @throws NoSuchElementException if there is none
     * @throws ReservationException if the store failed
     */
    Claim getReservation(String reservationId);

    /**
     * Returns the confirmed claims of an entity.
     *
     * @throws IllegalArgumentException if the entity id breaks its rule
     * @throws ReservationException if the store failed
     */
    List<Claim> findByEntityId(String entityId);

    /**
     * Returns how many claims there are of each status, for operators and tools. A claim that is over counts as expired, whether it is
     * marked or not; one that was purged does not count. It reads all claims, on a database in one statement through the index of status
     * and end: call it now and then, not for each request.
     *
     * @return a number for each status, 0 included; it cannot be modified
     * @throws ReservationException if the store failed
     */
    Map<ClaimStatus, Long> countByStatus();

    /**
     * Returns for how long the oldest claim that is over has been waiting to be marked as expired; zero if none is.
     *
     * @throws ReservationException if the store failed
     */
    Duration expirationLag();

    /**
     * Marks claims that are over as expired, and calls the listeners. A value is free at the end of its claim in any case; this method
     * only records it. Several nodes can call it at once: one of them marks each claim, and calls its listeners. A claim whose row another
     * transaction has locked is left to a later call. MariaDB can do so from 10.6 on. If the reply to the commit gets lost, no listener is called for what was marked.
     *
     * @param batchSize how many at most, at least 1
     * @return how many were marked; 0 means that none is left but those that others have locked. On Oracle the locked ones count for the
     *     batch size, so that fewer, or none, are marked although some are left
     * @throws IllegalArgumentException if the batch size is less than 1
     * @throws ReservationException if the store failed
     */
    int expireReservations(int batchSize);

    /**
     * Returns the same claims inside a caller's transaction, so that an entity and its claim commit together. They use this connection
     * alone, and neither commit nor close it; a rollback undoes what they did. The connection must not be in autocommit mode.
     *
     * <p>A call waits for another open transaction that has the same value, but not longer than the builder's
     * {@code transactionWait}. Then, and if the database rolls the transaction back because of a conflict with another one, it throws
     * {@link TransactionRetryException}: roll back, and run the whole transaction again. Roll back after any other exception, too.
     * Nothing is retried here, and listeners are not called: see {@link #in(Connection, Executor)}. A broken connection can look like
     * such a conflict: do not retry on it.
     *
     * <p>What changes a claim decides by the newest committed row, at every isolation level. {@link #isReserved}, {@link #isAvailable} and
     * the methods that find claims see what a query of the transaction sees: above READ COMMITTED that is its snapshot, which may be old.
     * They lock nothing. To have a value, {@link #reserve} it.
     *
     * <p>A refused call locks the row of the other claim, too, until the transaction ends: roll back soon after a conflict. The wait is
     * counted for each statement of a call. On H2 time stands still inside a transaction, so a claim that ends meanwhile counts as active.
     *
     * <p>In memory there are no transactions: there each call takes effect at once.
     *
     * @throws UnsupportedOperationException if the claims are on a store of your own that cannot join a transaction
     * @throws IllegalArgumentException if the connection is in autocommit mode
     * @throws NullPointerException if the connection is null
     */
    Claims in(Connection connection);

    /**
     * Returns the same claims as {@link #in(Connection)}, for a caller who has a hook for the commit: listeners are called for
     * what happened in the transaction.
     *
     * @param afterCommit gets a task for each change, which calls the listeners. Run the tasks in their order after the commit, and
     *     none of them after a rollback
     * @throws IllegalArgumentException if the connection is in autocommit mode
     * @throws NullPointerException if an argument is null
     */
    Claims in(Connection connection, Executor afterCommit);

    /**
     * Registers a listener for the changes that this object makes. A listener that is registered twice is called twice.
     *
     * @return a registration that removes the listener
     * @throws NullPointerException if the listener is null
     */
    Registration onEvent(ClaimListener listener);

    /** Ends the purge of old rows. Everything else goes on working, and no claim is released. A second call does nothing. */
    @Override
    void close();
}
