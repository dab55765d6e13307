// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;

/**
 * Changes the builder of a manager before the manager is built: for everything that has no property. Define beans of this type;
 * they are called in the order of {@link org.springframework.core.annotation.Order}, once for each domain.
 *
 * {@snippet file="com/github/reservation/spring/demo/Customizing.java" region="customizer"}
 *
 * @param <B> the builder; a customizer is only called for builders of this type
 */
@FunctionalInterface
public interface ReservationManagerCustomizer<B extends AbstractReservationManagerBuilder<?>> {

    /** Changes the builder of the manager of that domain. */
    void customize(String domain, B builder);
}
