// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if another holder had the lock until the wait was over. The store is well, and nothing was done. It is thrown by
 * {@link com.github.reservation.lease.LockManager#acquire(String, com.github.reservation.lease.LockOptions) acquire}, {@code run} and
 * {@code call} with a wait time.
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public class ReservationBusyException extends ReservationException {

    private static final long serialVersionUID = 1L;

    private final String domain;
    private final String identifier;
    private final @Nullable String holder;
    private final @Nullable Duration remaining;

    /**
     * Creates an exception.
     *
     * @param waited how long the caller has waited
     * @param holder the readable name of the holder; null if it is not known
     * @param remaining how long the lease of the holder still runs; null if it is not known
     */
    public ReservationBusyException(
            String domain,
            String identifier,
            Duration waited,
            @Nullable String holder,
            @Nullable Duration remaining) {
        super("Reservation [%s::%s] is held by another caller, and did not become free within %s".formatted(
                domain, identifier, waited));
        this.domain = domain;
        this.identifier = identifier;
        this.holder = holder;
        this.remaining = remaining;
    }

    public String getDomain() {
        return domain;
    }

    public String getIdentifier() {
        return identifier;
    }

    /**
     * Returns who held the lock when the wait had ended, as {@link ReservationInfo#holder()} does. Empty if the lock had become free in
     * that moment, if it was another node's turn, or if the store did not answer. The message does not name the holder: its thread and
     * host are nothing for a customer to read.
     */
    public Optional<String> getHolder() {
        return Optional.ofNullable(holder);
    }

    /** Returns how long the lease of the holder still ran then. Empty if {@link #getHolder()} is. */
    public Optional<Duration> getRemaining() {
        return Optional.ofNullable(remaining);
    }
}
