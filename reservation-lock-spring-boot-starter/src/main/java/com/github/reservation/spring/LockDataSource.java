// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.spring.ReservationProperties.JdbcSettings;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
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
                ? withoutTransactions(chosen(settings, beans))
                : shared(settings, beans);
    }

    /**
     * Returns the data source behind the proxies that take part in transactions.
     *
     * @throws ReservationConfigurationException if there is no such data source
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
        return withoutTransactions(bean);
    }

    /** Returns whether connections may take part in a global transaction, as far as the settings tell. */
    static boolean mayJoinGlobalTransactions(JdbcSettings settings, ListableBeanFactory beans) {
        return settings.dataSource() == null && hasGlobalTransactions(beans);
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
