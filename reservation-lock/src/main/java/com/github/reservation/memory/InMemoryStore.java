// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.LossReason;
import com.github.reservation.Ticker;
import com.github.reservation.internal.memory.Faults;
import com.github.reservation.internal.memory.MemoryLeaseStore;
import java.util.Objects;

/**
 * Stores leases in the memory of this JVM. Several managers on one store act as several nodes.
 *
 * <p>A store is thread-safe and need not be closed. It is fair between managers: a released key goes to the manager that has
 * waited longest. Use the methods that lose a lease or make calls fail in your own tests. They expect a key as
 * {@link com.github.reservation.Reservation#getReservationKey()} returns it.
 */
public final class InMemoryStore {

    private final Ticker ticker;
    private final Faults faults = new Faults();
    private final MemoryLeaseStore leases;

    /** Creates a store with the clock of the JVM. */
    public InMemoryStore() {
        this(Ticker.system());
    }

    /** Creates a store with the given ticker. Its managers, their deadlines and their waiting threads use the same ticker. */
    public InMemoryStore(Ticker ticker) {
        this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
        this.leases = new MemoryLeaseStore(ticker, faults);
    }

    /**
     * Ends the lease of the key as if it had expired, and notifies its holder.
     *
     * @return whether the key was held
     * @throws IllegalArgumentException if the key is not of the form {@code domain::identifier}
     */
    public boolean expireNow(String reservationKey) {
        return loseNow(reservationKey, LossReason.EXPIRED);
    }

    /**
     * Ends the lease of the key, and notifies its holder with the given reason.
     *
     * @return whether the key was held
     * @throws IllegalArgumentException if the key is not of the form {@code domain::identifier}
     */
    public boolean loseNow(String reservationKey, LossReason reason) {
        Objects.requireNonNull(reservationKey, "reservationKey must not be null");
        Objects.requireNonNull(reason, "reason must not be null");
        if (!reservationKey.contains("::")) {
            throw new IllegalArgumentException("reservationKey must be like domain::identifier, as "
                    + "Reservation.getReservationKey() returns it, but is \"" + reservationKey + '"');
        }
        return leases.end(reservationKey, reason).isPresent();
    }

    /** Makes every call fail until {@link #recover()}. */
    public void failWith(Fault fault) {
        fail(Integer.MAX_VALUE, fault);
    }

    /**
     * Makes the given number of calls fail, then recovers.
     *
     * @throws IllegalArgumentException if {@code calls} is not positive
     */
    public void failNext(int calls, Fault fault) {
        if (calls <= 0) {
            throw new IllegalArgumentException("calls must be positive, but is " + calls);
        }
        fail(calls, fault);
    }

    private void fail(int calls, Fault fault) {
        Objects.requireNonNull(fault, "fault must not be null");
        faults.set(fault.kind, fault.name(), calls);
    }

    /** Ends the failures: the store works again. */
    public void recover() {
        faults.clear();
    }

    Ticker ticker() {
        return ticker;
    }

    MemoryLeaseStore leases() {
        return leases;
    }
}
