// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ReservationAcquisitionException;
import com.github.reservation.ReservationManager;
import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.jdbc.ScriptedDriver.Step;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each ORA number at each step of each operation: what kind of failure it is. The callers' view is ScriptedDriverTest's. */
class OracleFailuresTest {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final String NODE = "0123456789abcdef";

    private final OracleModeDatabase database = new OracleModeDatabase();
    private final HikariDataSource pool = database.dataSource();
    private final ScriptedDriver driver = new ScriptedDriver(pool);
    private final JdbcLeaseStore leases = OracleModeDatabase.leases(driver.dataSource());

    /** What is asked of the store about a key that is held, or about a fresh one. */
    @FunctionalInterface
    private interface Question {
        Object ask(LeaseId held, LeaseId fresh) throws StoreException;
    }

    private static final int NO_INSERT = -1;

    /**
     * An operation of the store.
     *
     * @param statements how many it sends, if all goes well
     * @param insert which of them inserts the key
     * @param takesTheKey whether the last of them does
     * @param looksWhoWasFaster whether it takes a race for a refusal, once it has seen who won
     */
    private record Operation(
            String name,
            int statements,
            int insert,
            boolean takesTheKey,
            boolean looksWhoWasFaster,
            Question question) {

        Object run(LeaseId held, LeaseId fresh) throws StoreException {
            return question.ask(held, fresh);
        }

        /** Returns the steps of a statement; an insert in vain fails by itself, and has no reply. */
        List<Step> stepsOf(int statement) {
            return insertsInVain() && statement == insert
                    ? List.of(Step.PREPARE, Step.SEND)
                    : List.of(Step.PREPARE, Step.SEND, Step.REPLY);
        }

        /** Returns how often the step passes before it is the statement's turn. */
        int passesBefore(int statement, Step step) {
            return insertsInVain() && statement > insert && step == Step.REPLY ? statement - 1 : statement;
        }

        private boolean insertsInVain() {
            return insert != NO_INSERT && !takesTheKey;
        }
    }

    private final List<Operation> operations = List.of(
            new Operation(
                    "acquire",
                    2,
                    1,
                    true,
                    false,
                    (held, fresh) -> leases.acquire(AcquireRequest.once(fresh, LEASE, NODE))),
            new Operation("acquire again", 1, NO_INSERT, true, false, (held, fresh) -> {
                free(held, "NULL");
                return leases.acquire(AcquireRequest.once(other(held), LEASE, NODE));
            }),
            new Operation("acquire again what nobody came for", 1, NO_INSERT, true, false, (held, fresh) -> {
                free(held, "'dead-dead-dead-0,'");
                return leases.acquire(AcquireRequest.once(other(held), LEASE, NODE));
            }),
            new Operation(
                    "acquire in vain",
                    2,
                    1,
                    false,
                    true,
                    (held, fresh) -> leases.acquire(AcquireRequest.once(other(held), LEASE, NODE))),
            new Operation(
                    "wait",
                    4,
                    1,
                    false,
                    true,
                    (held, fresh) -> leases.acquire(new AcquireRequest(other(held), LEASE, NODE, true, false))),
            operation(
                    "poll",
                    2,
                    (held, fresh) -> leases.acquire(new AcquireRequest(other(held), LEASE, NODE, true, true))),
            operation("renew", 1, (held, fresh) -> leases.renew(List.of(held), LEASE)),
            operation("renew many", 1, (held, fresh) -> leases.renew(List.of(held, fresh), LEASE)),
            operation("release", 1, (held, fresh) -> leases.release(List.of(held))),
            operation("release many", 1, (held, fresh) -> leases.release(List.of(held, fresh))),
            operation("release, and stay", 1, (held, fresh) -> leases.releaseAndQueue(held, NODE, true)),
            operation("release, and line up", 1, (held, fresh) -> leases.releaseAndQueue(held, NODE, false)),
            operation("withdraw", 1, (held, fresh) -> {
                leases.withdraw(held.key(), NODE);
                return "done";
            }),
            operation("force", 1, (held, fresh) -> leases.forceRelease(held.key())),
            operation("find", 1, (held, fresh) -> leases.find(held.key())),
            operation("list", 1, (held, fresh) -> leases.list("orders::")),
            operation("purge", 1, (held, fresh) -> leases.purge()));

    private static Operation operation(String name, int statements, Question question) {
        return new Operation(name, statements, NO_INSERT, false, false, question);
    }

    /** Ends the lease behind the back of the scripted driver. */
    private void free(LeaseId held, String waiters) {
        database.execute(
                "UPDATE RESERVATION_LOCKS SET expires_at = TIMESTAMP '1970-01-01 00:00:00', waiters = "
                        + waiters + " WHERE reservation_key = '" + held.key() + "'");
    }

    @BeforeEach
    void useOnce() throws StoreException {
        leases.list("orders::"); // The first use is over.
    }

    @AfterEach
    void close() {
        assertThat(driver.open()).as("connections that were not given back").isZero();
        database.close();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            54,    CONTENTION
            60,    CONTENTION
            1555,  CONTENTION
            2049,  CONTENTION
            4020,  CONTENTION
            4021,  CONTENTION
            8176,  CONTENTION
            8177,  CONTENTION
            12860, CONTENTION
            30006, CONTENTION
            1,     MISCONFIGURED
            904,   MISCONFIGURED
            942,   MISCONFIGURED
            1017,  MISCONFIGURED
            1031,  MISCONFIGURED
            1045,  MISCONFIGURED
            1400,  MISCONFIGURED
            1407,  MISCONFIGURED
            1438,  MISCONFIGURED
            1502,  MISCONFIGURED
            1950,  MISCONFIGURED
            2014,  MISCONFIGURED
            2290,  MISCONFIGURED
            4043,  MISCONFIGURED
            4063,  MISCONFIGURED
            4098,  MISCONFIGURED
            12899, MISCONFIGURED
            14400, MISCONFIGURED
            17068, MISCONFIGURED
            28000, MISCONFIGURED
            28001, MISCONFIGURED
            41900, MISCONFIGURED
            257,   UNAVAILABLE
            1456,  UNAVAILABLE
            1536,  UNAVAILABLE
            1591,  UNAVAILABLE
            1653,  UNAVAILABLE
            1654,  UNAVAILABLE
            1658,  UNAVAILABLE
            1683,  UNAVAILABLE
            1688,  UNAVAILABLE
            4031,  UNAVAILABLE
            16000, UNAVAILABLE
            30036, UNAVAILABLE
            28,    OUTCOME_UNKNOWN
            31,    OUTCOME_UNKNOWN
            600,   OUTCOME_UNKNOWN
            603,   OUTCOME_UNKNOWN
            604,   OUTCOME_UNKNOWN
            1012,  OUTCOME_UNKNOWN
            1013,  OUTCOME_UNKNOWN
            1033,  OUTCOME_UNKNOWN
            1034,  OUTCOME_UNKNOWN
            1089,  OUTCOME_UNKNOWN
            1092,  OUTCOME_UNKNOWN
            2396,  OUTCOME_UNKNOWN
            3113,  OUTCOME_UNKNOWN
            3114,  OUTCOME_UNKNOWN
            3135,  OUTCOME_UNKNOWN
            12170, OUTCOME_UNKNOWN
            12571, OUTCOME_UNKNOWN
            17002, OUTCOME_UNKNOWN
            17008, OUTCOME_UNKNOWN
            17410, OUTCOME_UNKNOWN
            25408, OUTCOME_UNKNOWN
            """)
    void aStatementThatFailsIsOfOneKindWhereverItFails(int number, Kind kind) throws StoreException {
        for (Operation operation : operations) {
            Kind beforeTheFirst = kind == Kind.OUTCOME_UNKNOWN ? Kind.CONTENTION : kind;
            assertFails(operation, 0, Step.LOOK_AT_AUTO_COMMIT, number, beforeTheFirst);
            for (int statement = 0; statement < operation.statements; statement++) {
                for (Step step : operation.stepsOf(statement)) {
                    if (isRefusal(operation, statement, step, number, kind)) {
                        assertRefused(operation, statement, step, number);
                    } else {
                        boolean nothingAsked = statement == 0 && step == Step.PREPARE;
                        assertFails(operation, statement, step, number, nothingAsked ? beforeTheFirst : kind);
                    }
                }
            }
            LeaseId held = held();
            driver.failNext(Step.CLOSE, OracleErrors.ora(number));
            assertThat(operation.run(held, lease())).as("the answer is known by then").isNotNull();
        }
    }

    /** A race that was lost is an answer: the row of somebody else, or whatever undoes a statement that met one. */
    private static boolean isRefusal(Operation operation, int statement, Step step, int number, Kind kind) {
        boolean isLast = statement == operation.statements - 1;
        // A key that is taken although the statement was undone: no database does that, but it would not be granted twice.
        boolean isLie = isLast && operation.takesTheKey && step == Step.REPLY;
        boolean linesUp = isLast && operation.name.equals("poll");
        return (statement == operation.insert && number == 1)
                || ((operation.looksWhoWasFaster || linesUp || isLie) && kind == Kind.CONTENTION);
    }

    private void assertRefused(Operation operation, int statement, Step step, int number) throws StoreException {
        LeaseId held = held();
        driver.failAfter(operation.passesBefore(statement, step), step, OracleErrors.ora(number));

        assertThat(operation.run(held, lease()))
                .as("%s, statement %d, %s", operation.name, statement, step)
                .isInstanceOf(Refused.class);
        assertThat(driver.isPlayed()).isTrue();
    }

    private void assertFails(Operation operation, int statement, Step step, int number, Kind kind)
            throws StoreException {
        LeaseId held = held();
        driver.failAfter(operation.passesBefore(statement, step), step, OracleErrors.ora(number));

        assertThatExceptionOfType(StoreException.class)
                .as("%s, statement %d, %s", operation.name, statement, step)
                .isThrownBy(() -> operation.run(held, lease()))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind))
                .withMessageContaining("ORA-%05d", number);
        assertThat(driver.isPlayed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            1017,  MISCONFIGURED
            1045,  MISCONFIGURED
            28000, MISCONFIGURED
            28001, MISCONFIGURED
            18,    UNAVAILABLE
            20,    UNAVAILABLE
            1033,  UNAVAILABLE
            1034,  UNAVAILABLE
            1089,  UNAVAILABLE
            12154, UNAVAILABLE
            12170, UNAVAILABLE
            12505, UNAVAILABLE
            12514, UNAVAILABLE
            12516, UNAVAILABLE
            12528, UNAVAILABLE
            12541, UNAVAILABLE
            17002, UNAVAILABLE
            """)
    void aFailureToConnectLeavesNothingInDoubt(int number, Kind kind) throws StoreException {
        for (Operation operation : operations) {
            LeaseId held = held();
            driver.failNext(Step.CONNECT, OracleErrors.ora(number));

            assertThatExceptionOfType(StoreException.class)
                    .as(operation.name)
                    .isThrownBy(() -> operation.run(held, lease()))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
        }
    }

    @Test
    void aDuplicateKeyOfTheInsertMeansThatSomebodyWasFaster() throws StoreException {
        LeaseId fresh = lease();
        JdbcLeaseStore others = OracleModeDatabase.leases(pool);
        assertThat(others.acquire(AcquireRequest.once(fresh, LEASE, "other"))).isInstanceOf(Granted.class);

        assertThat(leases.acquire(AcquireRequest.once(fresh, LEASE, "node"))).isNotInstanceOf(Granted.class);
    }

    @Test
    void aMissingTableIsToldWithTheCommandThatPrintsIt() {
        database.execute("DROP TABLE RESERVATION_LOCKS");
        try (ReservationManager manager = ReservationManager.oracle(pool).domain("orders").build()) {
            assertThatThrownBy(manager.getReservation("42")::tryLock)
                    .isInstanceOf(ReservationAcquisitionException.class)
                    .hasMessageContainingAll("ORA-00942", "java -jar reservation-lock.jar ddl oracle");
        }
    }

    private LeaseId held() throws StoreException {
        LeaseId lease = lease();
        assertThat(leases.acquire(AcquireRequest.once(lease, LEASE, "node"))).isInstanceOf(Granted.class);
        return lease;
    }

    private static LeaseId other(LeaseId held) {
        return new LeaseId(held.key(), "holder-" + UUID.randomUUID());
    }

    private static LeaseId lease() {
        return new LeaseId("orders::" + UUID.randomUUID(), "holder-" + UUID.randomUUID());
    }
}
