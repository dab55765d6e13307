// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationExpiredException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The lock goes around the transaction, whatever is outside. */
class ReservedTransactionTest {

    private final ApplicationContextRunner runner = Starter.withJdbc().withUserConfiguration(Beans.class);

    @Test
    void theLockIsAcquiredBeforeTheTransactionBeginsAndReleasedAfterItsCommit() {
        runner.run(context -> {
            context.getBean(Orders.class).ship("42");

            assertThat(context.getBean(Trace.class).events)
                    .containsExactly("begin: held", "method: held", "committed: held");
            assertThat(order(context.getBean(ReservationManagers.class)).isLocked()).isFalse();
        });
    }

    @Test
    void theLockIsReleasedAfterARollback() {
        runner.run(context -> {
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> context.getBean(Orders.class).fail("42"));

            assertThat(context.getBean(Trace.class).events).containsExactly("begin: held", "rolled back: held");
            assertThat(order(context.getBean(ReservationManagers.class)).isLocked()).isFalse();
        });
    }

    @Test
    void theLockIsReleasedAfterTheCommitEvenIfTheAdviceIsTheWrongWayRound() {
        runner.withUserConfiguration(TransactionsOutside.class).run(context -> {
            context.getBean(Orders.class).ship("42");

            assertThat(context.getBean(Trace.class).events)
                    .containsExactly("begin: free", "method: held", "committed: held");
            assertThat(order(context.getBean(ReservationManagers.class)).isLocked()).isFalse();
        });
    }

    @Test
    void insideATransactionOfTheCallerTheLockIsHeldUntilThatHasEnded() {
        runner.run(context -> {
            Trace trace = context.getBean(Trace.class);

            transaction(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                context.getBean(Orders.class).ship("42");
                trace.add("returned");
            });

            assertThat(trace.events)
                    .containsExactly("begin: free", "method: held", "returned: held", "committed: held");
            assertThat(order(context.getBean(ReservationManagers.class)).isLocked()).isFalse();
        });
    }

    @Test
    void aTransactionWhoseLockWasLostIsRolledBack() {
        runner.run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE shipped (id VARCHAR(10))");

            assertThatExceptionOfType(ReservationExpiredException.class).isThrownBy(
                    () -> transaction(context.getBean(PlatformTransactionManager.class))
                            .executeWithoutResult(status -> {
                                context.getBean(Orders.class).ship("42");
                                jdbc.update("INSERT INTO shipped VALUES ('42')");
                                order(context.getBean(ReservationManagers.class)).forceUnlock();
                                assertThat(order(context.getBean(ReservationManagers.class)).renew()).isFalse();
                            }));

            assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM shipped", Integer.class)).isZero();
        });
    }

    @Test
    void twoCallsInOneTransactionAreTwoHolds() {
        runner.run(context -> {
            transaction(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                context.getBean(Orders.class).ship("42");
                context.getBean(Orders.class).ship("42");
                assertThat(order(context.getBean(ReservationManagers.class)).getHoldCount()).isEqualTo(2);
            });

            assertThat(order(context.getBean(ReservationManagers.class)).isLocked()).isFalse();
        });
    }

    private static Reservation order(ReservationManagers managers) {
        return managers.get("orders").getReservation("42");
    }

    private static TransactionTemplate transaction(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }

    static class Orders {

        private final Trace trace;

        Orders(Trace trace) {
            this.trace = trace;
        }

        @Reserved(domain = "orders", key = "#id")
        @Transactional
        public void ship(String id) {
            trace.add("method");
            TransactionSynchronizationManager.registerSynchronization(trace);
        }

        @Reserved(domain = "orders", key = "#id")
        @Transactional
        public void fail(String id) {
            TransactionSynchronizationManager.registerSynchronization(trace);
            throw new ArithmeticException();
        }
    }

    /** Writes down what happens, and whether the thread holds the lock then. */
    static class Trace implements TransactionExecutionListener, TransactionSynchronization {

        final List<String> events = new CopyOnWriteArrayList<>();
        private final ObjectProvider<ReservationManagers> managers;

        Trace(ObjectProvider<ReservationManagers> managers) {
            this.managers = managers;
        }

        void add(String event) {
            events.add(event + ": " + (order(managers.getObject()).isHeldByCurrentThread() ? "held" : "free"));
        }

        @Override
        public void afterBegin(TransactionExecution transaction, Throwable failure) {
            if (transaction.isNewTransaction()) {
                add("begin");
            }
        }

        @Override
        public void afterCommit() {
            add("committed");
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_ROLLED_BACK) {
                add("rolled back");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsOutside {}

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Trace trace(ObjectProvider<ReservationManagers> managers) {
            return new Trace(managers);
        }

        @Bean
        Orders orders(Trace trace) {
            return new Orders(trace);
        }
    }
}
