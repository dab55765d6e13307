// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.AbstractReservationManagerBuilder;
import com.github.reservation.LossListener;
import com.github.reservation.ReservationListener;
import com.github.reservation.ReservationManager;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.util.LambdaSafe;

/** Makes the manager of a domain on the chosen backend, with the customizers and listeners of the context. */
record ManagerFactory(
        Backend backend,
        Duration leaseTime,
        Optional<Duration> maxHold,
        Optional<String> holderLabel,
        List<ReservationManagerCustomizer<?>> customizers,
        List<LossListener> lossListeners,
        List<ReservationListener> listeners,
        ObjectProvider<ObservationRegistry> observations) implements Function<String, ReservationManager> {

    /** Checks the label now and not at the first manager. */
    ManagerFactory {
        holderLabel.ifPresent(label -> ReservationConfigurationException.apply(
                "reservation.holder-label", () -> backend.newBuilder().holderLabel(label)));
    }

    @Override
    public ReservationManager apply(String domain) {
        AbstractReservationManagerBuilder<?> builder = backend.newBuilder();
        builder.domain(domain);
        builder.leaseTime(leaseTime);
        maxHold.ifPresent(builder::autoRenew);
        holderLabel.ifPresent(builder::holderLabel);
        customize(domain, builder);
        ReservationManager manager = builder.build();
        lossListeners.forEach(manager::onLost);
        observations.ifUnique(registry -> manager.onEvent(new AcquisitionObservations(registry)));
        listeners.forEach(manager::onEvent);
        return manager;
    }

    @SuppressWarnings("unchecked") // LambdaSafe calls only the customizers of this type of builder.
    private void customize(String domain, AbstractReservationManagerBuilder<?> builder) {
        LambdaSafe.callbacks(ReservationManagerCustomizer.class, customizers, builder)
                .withLogger(ReservationManagerCustomizer.class)
                .invoke(customizer -> customizer.customize(domain, builder));
    }
}
