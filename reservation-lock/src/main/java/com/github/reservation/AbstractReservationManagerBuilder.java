// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import com.github.reservation.internal.store.ReservationKeyBuilder;
import com.github.reservation.internal.time.LeaseTimes;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the builders of all backends have in common. A builder is for one thread; the manager it builds is for many.
 *
 * @param <T> the builder of the backend
 */
@SuppressWarnings("exports") // Micrometer and the annotation need not be there for those who do without.
public abstract class AbstractReservationManagerBuilder<T extends AbstractReservationManagerBuilder<T>>
        extends MeasuredBuilder<MeterRegistry, T> {

    private @Nullable String domain;
    private Duration leaseTime = Duration.ofMinutes(1);

    /** For the builders of the backends. */
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
     * Sets how long a reservation is held at most before it ends by itself. Default: 1 minute.
     *
     * @throws NullPointerException if the lease time is null
     * @throws IllegalArgumentException if it is shorter than 1 ms or longer than {@link Long#MAX_VALUE} ms
     */
    public T leaseTime(Duration leaseTime) {
        this.leaseTime = LeaseTimes.requireValid("leaseTime", leaseTime);
        return self();
    }

    /**
     * Checks that what is required was set.
     *
     * @throws IllegalStateException if no domain was set
     */
    protected final void validate() {
        if (domain == null) {
            throw new IllegalStateException("domain must be set before building");
        }
    }

    /** Returns the domain after {@link #validate()}. */
    protected final String requireDomain() {
        validate();
        return Objects.requireNonNull(domain);
    }

    /** Returns how long a reservation is held at most before it ends by itself. */
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
