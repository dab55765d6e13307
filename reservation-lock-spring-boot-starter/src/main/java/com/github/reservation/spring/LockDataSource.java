// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.util.ClassUtils;

/**
 * Finds a data source whose connections are free of the caller's transaction. A lock that took part in it would be seen by others
 * only after the commit, and a rollback would release it under its holder.
 */
final class LockDataSource {

    private static final String JTA = "org.springframework.transaction.jta.JtaTransactionManager";

    private LockDataSource() {}

    /** Returns the data source for locks: that of {@link #shared}, or one whose settings are good for a pool of their own. */
    static DataSource ofLocks(JdbcSettings settings, ListableBeanFactory beans) {
        return settings.asksForPool()
                ? fixed(withoutTransactions(chosen(settings, beans)), beans)
                : shared(settings, beans);
    }

    /**
     * Returns the data source behind the proxies that take part in transactions.
     *
     * @throws ReservationConfigurationException if there is no such data source, or if it does not always lead to the same database
     */
    static DataSource shared(JdbcSettings settings, ListableBeanFactory beans) {
        DataSource bean = chosen(settings, beans);
        if (mayJoinGlobalTransactions(settings, beans)) {
            throw new ReservationConfigurationException(
                    "The context has a JtaTransactionManager, and connections of its data source may take part in global"
                            + " transactions. Locks, claims and the outbox must not.",
                    "Set reservation.jdbc.data-source to a data source that takes no part in them. If the application"
                            + " keeps nothing but locks there, reservation.jdbc.pool-size is enough: it gives locks a pool of"
                            + " their own.");
        }
        return fixed(withoutTransactions(bean), beans);
    }

    /** Returns whether connections may take part in a global transaction, as far as the settings tell. */
    static boolean mayJoinGlobalTransactions(JdbcSettings settings, ListableBeanFactory beans) {
        return settings.dataSource() == null && hasGlobalTransactions(beans);
    }

    /**
     * Refuses a data source that chooses the database by the calling thread. Background threads renew, release and sweep, and they do
     * not have the caller's choice: they would look for the caller's rows in another database.
     */
    private static DataSource fixed(DataSource dataSource, ListableBeanFactory beans) {
        if (isRouted(dataSource)) {
            throw new ReservationConfigurationException(
                    "The data source " + nameOf(dataSource, beans)
                            + " is an AbstractRoutingDataSource, which chooses the"
                            + " database by the calling thread. The threads that renew and release locks in the"
                            + " background would work in another database than the thread that locks.",
                    "Set reservation.jdbc.data-source to the bean of a data source that always leads to the same"
                            + " database; define one if the targets are not beans.");
        }
        return dataSource;
    }

    private static boolean isRouted(DataSource dataSource) {
        try {
            return DataSourceUnwrapper.unwrap(dataSource, AbstractRoutingDataSource.class) != null
                    || dataSource.isWrapperFor(AbstractRoutingDataSource.class);
        } catch (SQLException | RuntimeException e) {
            return false; // It does not know what it wraps.
        }
    }

    /** Returns the name of the bean that the data source is, or that wraps it. */
    private static String nameOf(DataSource dataSource, ListableBeanFactory beans) {
        return beans.getBeansOfType(DataSource.class, false, false).entrySet().stream()
                .filter(bean -> Stream.iterate(bean.getValue(), Objects::nonNull, LockDataSource::target)
                        .anyMatch(dataSource::equals))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseGet(dataSource::toString);
    }

    /** Returns the bean that the property names, or the only one. */
    static DataSource chosen(JdbcSettings settings, ListableBeanFactory beans) {
        return ChosenBean.of(beans, DataSource.class, settings.dataSource(), "reservation.jdbc.data-source");
    }

    /** Returns whether the context has a transaction manager for global transactions. */
    static boolean hasGlobalTransactions(ListableBeanFactory beans) {
        ClassLoader loader = LockDataSource.class.getClassLoader();
        return ClassUtils.isPresent(JTA, loader)
                && beans.getBeanNamesForType(ClassUtils.resolveClassName(JTA, loader)).length > 0;
    }

    private static DataSource withoutTransactions(DataSource bean) {
        DataSource current = bean;
        while (current instanceof TransactionAwareDataSourceProxy || current instanceof LazyConnectionDataSourceProxy) {
            DataSource target = target(current);
            if (target == null) {
                throw new ReservationConfigurationException(
                        "The data source " + current + " has no target.", "Set its target.");
            }
            current = target;
        }
        if (hidesTransactions(current)) {
            throw new ReservationConfigurationException(
                    "The data source " + current
                            + " wraps a TransactionAwareDataSourceProxy, so its connections take part"
                            + " in the caller's transaction. Locks must not.",
                    "Set reservation.jdbc.data-source to the data source inside.");
        }
        return current;
    }

    private static boolean hidesTransactions(DataSource outermost) {
        for (DataSource inner = target(outermost); inner != null; inner = target(inner)) {
            if (inner instanceof TransactionAwareDataSourceProxy) {
                return true;
            }
        }
        return false;
    }

    /** Returns the data source behind a proxy, or null if it is none. */
    static @Nullable DataSource target(DataSource dataSource) {
        return dataSource instanceof DelegatingDataSource delegating ? delegating.getTargetDataSource() : null;
    }
}
