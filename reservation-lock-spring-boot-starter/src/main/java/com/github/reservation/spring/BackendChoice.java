// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.memory.InMemoryStore;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Chooses the backend by {@code reservation.backend} and by the beans of the context, and says so in one line of the log. It decides
 * when all bean definitions are known, so that the order of configuration classes does not matter.
 */
record BackendChoice(ReservationProperties properties, ConfigurableListableBeanFactory beans) {

    private static final Log LOG = LogFactory.getLog(BackendChoice.class);

    private static final String HAZELCAST = "com.hazelcast.core.HazelcastInstance";
    private static final String DATA_SOURCE = "javax.sql.DataSource";
    private static final String SPRING_BOOT_JDBC = "org.springframework.boot.jdbc.DataSourceBuilder";

    /**
     * Opens the backend.
     *
     * @throws ReservationConfigurationException if the chosen one cannot work
     */
    Backend open() {
        Backend backend = switch (properties.backend()) {
            case AUTO -> hasBean(HAZELCAST) ? hazelcast() : hasBean(DATA_SOURCE) ? jdbc() : memoryForLackOfOthers();
            case HAZELCAST -> hazelcast();
            case JDBC -> jdbc();
            case MEMORY -> memory();
        };
        LOG.info("Reservations are kept " + backend.place() + '.');
        return backend;
    }

    private Backend hazelcast() {
        requireClass(HAZELCAST, "com.hazelcast:hazelcast");
        boolean database = hasBean(DATA_SOURCE) && hasClass(SPRING_BOOT_JDBC);
        return HazelcastBackend.of(
                properties.hazelcast(),
                beans,
                database ? Optional.of(() -> JdbcBackend.ofClaims(properties.jdbc(), beans)) : Optional.empty());
    }

    private Backend jdbc() {
        requireClass(SPRING_BOOT_JDBC, "org.springframework.boot:spring-boot-starter-jdbc");
        return JdbcBackend.open(properties.jdbc(), beans);
    }

    private Backend memory() {
        return new MemoryBackend(beans.getBeanProvider(InMemoryStore.class).getIfUnique(InMemoryStore::new));
    }

    private Backend memoryForLackOfOthers() {
        LOG.warn("The context has neither a HazelcastInstance nor a DataSource, so reservations exclude only the"
                + " threads of this JVM, and are gone when it ends. Other instances of this application do not see them."
                + " If that is intended, set reservation.backend=memory.");
        return memory();
    }

    private boolean hasBean(String className) {
        return hasClass(className)
                && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                        beans, ClassUtils.resolveClassName(className, beans.getBeanClassLoader())).length > 0;
    }

    private boolean hasClass(String className) {
        return ClassUtils.isPresent(className, beans.getBeanClassLoader());
    }

    private void requireClass(String className, String artifact) {
        if (!hasClass(className)) {
            throw new ReservationConfigurationException(
                    "Reservations cannot be kept where reservation.backend or the beans of the context say: "
                            + ClassUtils.getShortName(className) + " is not on the class path.",
                    "Add " + artifact + ", or set reservation.backend to another backend.");
        }
    }
}
