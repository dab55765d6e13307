// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import org.springframework.context.SmartLifecycle;

/**
 * A bean whose stop may wait for work of the application. It waits on a thread of its own, so Spring goes on with the shutdown when
 * {@code spring.lifecycle.timeout-per-shutdown-phase} is over, even if the work hangs. What is stopped cannot go on after a pause.
 */
interface BackgroundStop extends SmartLifecycle {

    @Override
    default void stop(Runnable callback) {
        Thread.ofVirtual().name("reservation-stop").start(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    @Override
    default boolean isPauseable() {
        return false;
    }
}
