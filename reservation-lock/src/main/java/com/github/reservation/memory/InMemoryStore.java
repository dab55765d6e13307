// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.memory;

import com.github.reservation.LossReason;
import com.github.reservation.Ticker;
import com.github.reservation.internal.memory.Faults;
import com.github.reservation.internal.memory.MemoryLeases;
import java.util.Objects;

/**
 * Keeps leases in the memory of this JVM. Share one between several managers to play several nodes.
 *
 * <p>It is safe for use by many threads, holds nothing that needs closing, and is fair between managers: a released key goes to
 * the manager that has waited longest. The methods that make it lose a lease or fail are for tests of your own code. They take
 * keys as {@link com.github.reservation.Reservation#getReservationKey()} returns them.
 */
public final class InMemoryStore {

    private final Ticker ticker;
    private final Faults faults = new Faults();
    private final MemoryLeases leases;

    /** Makes a store that reads the time of the JVM. */
    public InMemoryStore() {
        this(Ticker.system());
    }

    /** Makes a store that reads the given time, as do its managers, their deadlines and their waiting threads. */
    public InMemoryStore(Ticker ticker) {
        this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
        this.leases = new MemoryLeases(ticker, faults);
    }

    /**
     * Ends the lease of the key as if its time were over, and tells the holder.
     *
     * @return whether the key was held
     * @throws IllegalArgumentException if it is not a key, {@code domain::identifier}
     */
    public boolean expireNow(String reservationKey) {
        return loseNow(reservationKey, LossReason.EXPIRED);
    }

    /**
     * Ends the lease of the key and tells the holder the given reason.
     *
     * @return whether the key was held
     * @throws IllegalArgumentException if it is not a key, {@code domain::identifier}
     */
    public boolean loseNow(String reservationKey, LossReason reason) {
        Objects.requireNonNull(reservationKey, "reservationKey must not be null");
        Objects.requireNonNull(reason, "reason must not be null");
        if (!reservationKey.contains("::")) {
            throw new IllegalArgumentException("reservationKey must be like domain::identifier, as "
                    + "Reservation.getReservationKey() returns it, but is \"" + reservationKey + '"');
        }
        return leases.end(reservationKey, reason);
    }

    /** Makes every call fail from now on, until {@link #recover()}. */
    public void failWith(Fault fault) {
        fail(Integer.MAX_VALUE, fault);
    }

    /**
     * Makes the next calls fail, then recovers.
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

    /** Makes the store work again. */
    public void recover() {
        faults.clear();
    }

    Ticker ticker() {
        return ticker;
    }

    MemoryLeases leases() {
        return leases;
    }
}
