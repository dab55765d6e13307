// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.internal.jdbc.JdbcSettings;
import com.github.reservation.internal.metrics.Meters;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.memory.ManualTicker;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.PurgingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead keys are purged once an hour for each set of keys, however many managers there are. */
class PurgerTest {

    private final ManualTicker ticker = new ManualTicker();
    private final AtomicInteger purges = new AtomicInteger();
    private final Set<String> purged = ConcurrentHashMap.newKeySet();
    private volatile Throwable failure;
    private final List<StoreReservationManager> managers = new ArrayList<>();

    @AfterEach
    void close() {
        managers.forEach(StoreReservationManager::close);
    }

    @Test
    void manyManagersOnTheSameKeysPurgeThemOnceAnHour() {
        for (int i = 0; i < 30; i++) {
            open("domain-" + i, "one table");
        }

        ticker.advance(Duration.ofHours(1));

        Awaitility.await().until(() -> purges.get() == 1);
        for (int hour = 2; hour <= 5; hour++) {
            int expected = hour;
            ticker.advance(Duration.ofHours(1));
            Awaitility.await().until(() -> purges.get() == expected);
        }
    }

    @Test
    void anotherSetOfKeysIsPurgedToo() {
        open("orders", "one table");
        open("invoices", "another table");

        ticker.advance(Duration.ofHours(1));

        Awaitility.await().until(() -> purges.get() == 2);
    }

    @Test
    void whenOneManagerIsClosedAnotherOnePurgesOn() {
        StoreReservationManager first = open("orders", "one table");
        open("invoices", "one table");

        first.close();
        ticker.advance(Duration.ofHours(1));

        Awaitility.await().until(() -> purges.get() == 1);
    }

    @Test
    void nothingIsPurgedAfterTheLastManagerIsClosed() {
        StoreReservationManager only = open("orders", "one table");
        only.close();
        ticker.advance(Duration.ofHours(2));
        open("invoices", "another table");

        ticker.advance(Duration.ofHours(1));

        Awaitility.await().until(() -> purges.get() > 0);
        assertThat(purged).containsOnly("another table");
    }

    @Test
    void aPurgeThatFailsBadlyIsTriedAgain() {
        open("orders", "one table");
        failure = new NoClassDefFoundError("a driver");
        ticker.advance(Duration.ofHours(1));
        Awaitility.await().until(() -> purges.get() == 1);

        Awaitility.await().until(() -> {
            ticker.advance(Duration.ofHours(1));
            return purges.get() >= 2;
        });
    }

    @Test
    void aPurgeThatIsNotAllowedIsOneWarning_andNoFailureOfTheStore() {
        open("orders", "a table without DELETE");
        failure = new StoreException(Kind.MISCONFIGURED, "denied");
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            Awaitility.await().until(() -> {
                ticker.advance(Duration.ofHours(1));
                return purges.get() >= 3; // By now, two have ended.
            });

            assertThat(warnings.texts()).singleElement().asString()
                    .contains("a table without DELETE cannot be purged", "DELETE is not granted");
        }
    }

    @Test
    void theManagersOfThirtyDomainsInOneTableShareItsScope() {
        JdbcDataSource dataSource = new JdbcDataSource();

        assertThat(IntStream.range(0, 30).mapToObj(i -> scope(dataSource, "RESERVATION_LOCKS")).distinct())
                .hasSize(1);

        assertThat(scope(dataSource, "RESERVATION_LOCKS"))
                .isNotEqualTo(scope(dataSource, "OTHER_LOCKS"))
                .isNotEqualTo(scope(new JdbcDataSource(), "RESERVATION_LOCKS"));
    }

    /** Returns the scope of a manager, each of which has a store of its own. */
    private static Object scope(DataSource dataSource, String table) {
        return new JdbcLeaseStore(new JdbcSettings(
                new SqlTable(dataSource, Optional.empty(), new TableName(table), Duration.ofSeconds(5), ""),
                false,
                Duration.ofMillis(150),
                Optional.of(Duration.ofDays(1)))).purgeScope();
    }

    private StoreReservationManager open(String domain, String keys) {
        LeaseStore store = (LeaseStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{LeaseStore.class, PurgingStore.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "purgeScope" -> keys;
                    case "purge" -> {
                        purged.add(keys);
                        purges.incrementAndGet();
                        if (failure != null) {
                            throw failure;
                        }
                        yield false;
                    }
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        StoreReservationManager manager = new StoreReservationManager(
                store,
                new ManagerSettings(
                        domain,
                        Duration.ofMinutes(1),
                        true,
                        Duration.ofMillis(10),
                        Duration.ofMillis(100),
                        ticker,
                        Meters.NONE));
        managers.add(manager);
        return manager;
    }
}
