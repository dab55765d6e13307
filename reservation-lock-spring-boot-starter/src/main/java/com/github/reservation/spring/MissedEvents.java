// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Warns of transactional listeners that miss the events of expired rows, once for each listener. It cannot refuse them at start-up: which
 * events a source publishes is known when it publishes them. So it also looks for the listeners only then.
 */
final class MissedEvents {

    private static final Log LOG = LogFactory.getLog(MissedEvents.class);

    private final ConfigurableListableBeanFactory beans;
    private final Set<Method> known = ConcurrentHashMap.newKeySet();
    private volatile @Nullable List<SkippedListener> listeners;

    MissedEvents(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Warns if listeners of this event are about to miss it. */
    void check(Object event) {
        if (TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive()) {
            return;
        }
        for (SkippedListener listener : listeners()) {
            if (listener.receives(event.getClass()) && known.add(listener.method())) {
                LOG.warn(listener.name() + " is a @TransactionalEventListener, and does not receive "
                        + event.getClass().getName()
                        + ": events of expired rows are published after the commit, without a"
                        + " transaction. Make it an @EventListener, or set fallbackExecution = true.");
            }
        }
    }

    private List<SkippedListener> listeners() {
        List<SkippedListener> found = listeners;
        if (found == null) {
            found = SkippedListener.in(beans).toList();
            listeners = found;
        }
        return found;
    }
}
