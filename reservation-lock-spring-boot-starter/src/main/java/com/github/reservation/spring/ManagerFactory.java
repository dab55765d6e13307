// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.LossListener;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.boot.util.LambdaSafe;

/** Makes the manager of a domain on the chosen backend, with the customizers and listeners of the context. */
record ManagerFactory(
        Backend backend,
        Duration leaseTime,
        Optional<Duration> maxHold,
        List<ReservationManagerCustomizer<?>> customizers,
        List<LossListener> lossListeners,
        List<ReservationListener> listeners) implements Function<String, ReservationManager> {

    @Override
    public ReservationManager apply(String domain) {
        AbstractReservationManagerBuilder<?> builder = backend.newBuilder();
        builder.domain(domain);
        builder.leaseTime(leaseTime);
        maxHold.ifPresent(builder::autoRenew);
        customize(domain, builder);
        ReservationManager manager = builder.build();
        lossListeners.forEach(manager::onLost);
        listeners.forEach(manager::addListener);
        return manager;
    }

    @SuppressWarnings("unchecked") // LambdaSafe calls only the customizers of this type of builder.
    private void customize(String domain, AbstractReservationManagerBuilder<?> builder) {
        LambdaSafe.callbacks(ReservationManagerCustomizer.class, customizers, builder)
                .withLogger(ReservationManagerCustomizer.class)
                .invoke(customizer -> customizer.customize(domain, builder));
    }
}
