// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.ReservationKeyBuilder;
import com.github.reservation.internal.waiting.Node;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds the options that all backends share. A builder is not thread-safe; the manager that it builds is.
 *
 * @param <T> the builder of the backend
 */
@SuppressWarnings("exports") // Callers need not have the annotation.
public abstract class AbstractReservationManagerBuilder<T extends AbstractReservationManagerBuilder<T>>
        extends MeasuredBuilder<T> {

    private @Nullable String domain;
    private Duration leaseTime = Duration.ofMinutes(1);
    private @Nullable Duration maxHold;
    private @Nullable String holderLabel;

    /** Creates a builder without a domain and with the default lease time. */
    protected AbstractReservationManagerBuilder() {}

    /**
     * Sets the domain, for example {@code orders}. Required.
     *
     * @throws NullPointerException if the domain is null
     * @throws IllegalArgumentException if the domain is empty or breaks the rules for keys, see
     *     {@link InvalidReservationKeyException}
     */
    public T domain(String domain) {
        Objects.requireNonNull(domain, "domain must not be null");
        ReservationKeyBuilder.requireValidDomain(domain);
        this.domain = domain;
        return self();
    }

    /**
     * Sets the lease time: how long a reservation is held at most before it expires. Default: 1 minute.
     *
     * @throws NullPointerException if the lease time is null
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    public T leaseTime(Duration leaseTime) {
        this.leaseTime = LeaseTimes.requireValid("leaseTime", leaseTime);
        return self();
    }

    /**
     * Renews every reservation automatically while its thread holds it, until it has been held for {@code maxHold}. Default: off. A
     * reservation is renewed after a third of its lease, so a lease of some seconds still survives a short outage of the store. What is
     * lost is never renewed. The renewals of a reservation end when it is unlocked or lost, when its thread ends, and when the
     * manager is closed; its lease then runs out. After {@code maxHold} it is lost, with {@link LossReason#MAX_HOLD_REACHED}. A longer lease that a caller
     * passes to {@code lock} or {@code tryLock} is not cut.
     *
     * <p>All reservations of a manager share one thread for that. On a database one call renews up to 1,000 leases; on Hazelcast each
     * lease costs a round trip, and up to 16 for each member go at the same time.
     *
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    public T autoRenew(Duration maxHold) {
        this.maxHold = LeaseTimes.requireValid("maxHold", maxHold);
        return self();
    }

    /**
     * Sets what {@link ReservationInfo#holder()} names this process, for example {@code checkout-1}. Default: host and process id. It is
     * for people: a holder is unique without it.
     *
     * @throws NullPointerException if it is null
     * @throws IllegalArgumentException if it is empty, longer than 100 characters, or has blanks or others than the printable ones of ASCII
     */
    public T holderLabel(String holderLabel) {
        this.holderLabel = Node.requireLabel("holderLabel", holderLabel);
        return self();
    }

    /**
     * Checks that the required options are set, and that they fit together.
     *
     * @throws IllegalStateException if no domain was set, or if the longest hold of {@link #autoRenew} is shorter than the lease time
     */
    protected final void validate() {
        if (domain == null) {
            throw new IllegalStateException("domain must be set before building");
        }
        if (maxHold != null && maxHold.compareTo(leaseTime) < 0) {
            throw new IllegalStateException(
                    "maxHold of autoRenew must not be shorter than leaseTime, but is " + maxHold + " with "
                            + leaseTime);
        }
    }

    /** Calls {@link #validate()} and returns the domain. */
    protected final String requireDomain() {
        validate();
        return Objects.requireNonNull(domain);
    }

    /** Returns the lease time. */
    protected final Duration leaseTime() {
        return leaseTime;
    }

    /** Returns how long reservations are renewed automatically, or null if they are not. */
    protected final @Nullable Duration maxHold() {
        return maxHold;
    }

    /** Returns what this process is called in the names of holders, or null for host and process id. */
    protected final @Nullable String holderLabel() {
        return holderLabel;
    }

    /**
     * Builds the manager.
     *
     * @throws IllegalStateException if no domain was set, if the longest hold of {@link #autoRenew} is shorter than the lease time, or
     *     if the store cannot renew
     */
    public abstract ReservationManager build();
}
