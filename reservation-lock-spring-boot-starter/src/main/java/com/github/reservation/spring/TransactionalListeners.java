// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses listeners that would miss the events of the outbox: it delivers without a transaction.
 *
 * @param types the types of events that the outbox passes on to Spring
 */
record TransactionalListeners(ConfigurableListableBeanFactory beans, List<Class<?>> types)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        SkippedListener.in(beans)
                .filter(listener -> types.stream().anyMatch(listener::receivesSome))
                .findFirst()
                .ifPresent(TransactionalListeners::refuse);
    }

    private static void refuse(SkippedListener listener) {
        throw new ReservationConfigurationException(
                listener.name()
                        + " is a @TransactionalEventListener, and would not receive the events of the outbox: they"
                        + " are delivered after the commit, without a transaction.",
                "Make it an @EventListener, or set fallbackExecution = true.");
    }
}
