// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.jdbc.table.JdbcLeases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of the four columns that a lock cannot do without, and the way from there. */
@ParameterizedClass
@EnumSource(Databases.class)
class BareTableTest {

    private static final Duration LEASE = Duration.ofMinutes(1);

    private final Warnings warnings = new Warnings();

    @Parameter
    private Databases kind;

    @TempDir
    private Path directory;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = kind.open(directory);
        database.installBare();
        Warnings.LOGGER.addHandler(warnings);
    }

    @AfterEach
    void close() {
        Warnings.LOGGER.removeHandler(warnings);
        database.close();
    }

    @Test
    void aKeyIsPassedOnOnlyWhileTheNodeMayStay() throws StoreException {
        JdbcLeases leases = TestDatabase.leases(database.pool(2), Optional.empty());
        AcquireRequest first = AcquireRequest.once(new LeaseId("orders::42", "first"), LEASE, "node-node-node-a");
        AcquireRequest second = AcquireRequest.once(new LeaseId("orders::42", "second"), LEASE, "node-node-node-a");
        assertThat(leases.acquire(first)).isInstanceOf(Acquisition.Granted.class);

        assertThat(leases.pass(first.lease(), second, false)).isEmpty();
        assertThat(leases.pass(first.lease(), second, true)).isPresent();

        assertThat(leases.find("orders::42").orElseThrow().id()).isEqualTo(second.lease());
    }

    @Test
    void locksWorkWithoutFencesAndOneWarningSaysSo() {
        ReservationManager manager = database.manager(database.pool(2), LEASE);
        Reservation reservation = manager.getReservation("42");
        Reservation elsewhere = database.manager(database.pool(1), LEASE).getReservation("42");

        reservation.lock();
        assertThat(reservation.fencingToken()).isEmpty();
        assertThat(manager.listReservations().getFirst().fencingToken()).isEmpty();
        assertThat(warnings.texts).singleElement().asString()
                .contains("Table RESERVATION_LOCKS lacks fence, waiters or reserved_until")
                .contains("java -jar reservation-lock.jar ddl " + kind.ddl() + "-migration");
        assertThat(elsewhere.tryLock()).isFalse();
        assertThat(warnings.texts).as("one for each manager").hasSize(2);

        assertThat(reservation.renew()).isTrue();
        reservation.unlock();
        assertThat(elsewhere.tryLock()).isTrue();
        reservation.forceUnlock();
        assertThat(reservation.tryLock()).isTrue();
        assertThat(warnings.texts).hasSize(2);
    }

    @Test
    void newKeysAreGrantedHoweverManyThereAre() {
        ReservationManager manager = database.manager(database.pool(2), LEASE);
        Reservation elsewhere = database.manager(database.pool(1), LEASE).getReservation("99");

        for (int i = 0; i < 100; i++) {
            assertThat(manager.getReservation("" + i).tryLock()).isTrue();
        }

        assertThat(manager.listReservations()).hasSize(100);
        assertThat(elsewhere.tryLock()).isFalse();
        manager.getReservation("99").unlock();
        assertThat(elsewhere.tryLock()).isTrue();
    }

    @Test
    void manyThreadsAtFirstUseGetOneWarning() throws Exception {
        ReservationManager manager = database.manager(database.pool(8), LEASE);
        CyclicBarrier together = new CyclicBarrier(8);

        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Reservation own = manager.getReservation("own-" + i);
                ends.add(threads.submit(() -> {
                    together.await();
                    own.lock();
                    own.unlock();
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(10, TimeUnit.SECONDS);
            }
        }

        assertThat(warnings.texts).hasSize(1);
    }

    @Test
    void theMigrationGivesFencesThatGrow() {
        Reservation bare = database.manager(database.pool(1), LEASE).getReservation("42");
        bare.lock();

        database.execute(Ddl.of(kind.ddl() + "-migration"));

        assertThat(bare.renew()).as("goes on meanwhile").isTrue();
        bare.unlock();
        Reservation fenced = database.manager(database.pool(1), LEASE).getReservation("42");
        fenced.lock();
        long first = fenced.fencingToken().orElseThrow();
        fenced.unlock();
        bare.lock();
        bare.unlock();
        fenced.lock();
        assertThat(fenced.fencingToken().orElseThrow()).isGreaterThan(first);
        fenced.unlock();
        assertThat(warnings.texts).hasSize(1);
    }

    /** Keeps what the library warns of, as far as it is about fences. */
    private static final class Warnings extends Handler {

        static final Logger LOGGER = Logger.getLogger("com.github.reservation");

        final List<String> texts = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord logged) {
            String text = new SimpleFormatter().formatMessage(logged);
            if (logged.getLevel().intValue() >= Level.WARNING.intValue() && text.contains("fence")) {
                texts.add(text);
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
