// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.store.ReservationKeyBuilder;
import com.github.reservation.internal.time.LeaseTimes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Holds the options that all backends share. A builder is not thread-safe; the manager that it builds is.
 *
 * @param <T> the builder of the backend
 */
@SuppressWarnings("exports") // Callers need neither Micrometer nor the annotation.
public abstract class AbstractReservationManagerBuilder<T extends AbstractReservationManagerBuilder<T>>
        extends MeasuredBuilder<MeterRegistry, T> {

    private @Nullable String domain;
    private Duration leaseTime = Duration.ofMinutes(1);

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
     * Checks that the required options are set.
     *
     * @throws IllegalStateException if no domain was set
     */
    protected final void validate() {
        if (domain == null) {
            throw new IllegalStateException("domain must be set before building");
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

    /**
     * Builds the manager.
     *
     * @throws IllegalStateException if no domain was set
     */
    public abstract ReservationManager build();
}
