// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimErrorCode;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import com.github.reservation.jdbc.ScriptedDriver;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims whose events go through an outbox, on every database. */
@SideBySide
class ClaimOutboxTest extends OnOutbox {

    private static final Duration LONG = Duration.ofMinutes(5);

    /** Keeps the id and the type alone. */
    static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            ClaimEvent claim = (ClaimEvent) event;
            return claim.reservationId() + ' ' + claim.type();
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            String id = json.split(" ")[0];
            String of = json.split(" ")[1];
            Instant at = Instant.EPOCH;
            if (type == ClaimReserved.class) {
                return type.cast(new ClaimReserved(id, of, of, Optional.empty(), at, at));
            }
            if (type == ClaimConfirmed.class) {
                return type.cast(new ClaimConfirmed(id, of, "1", at));
            }
            return type.cast(type == ClaimReleased.class
                    ? new ClaimReleased(id, of, at)
                    : new ClaimExpired(id, of, of, Optional.empty(), at));
        }
    };

    private Claims claims;

    @BeforeEach
    void openClaims() {
        database.execute("DROP TABLE IF EXISTS RESERVATION_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims"));
        outbox = build(builder().codec(CODEC));
        outbox.subscribe(LISTENER, ClaimEvent.class, (ClaimEvent event, Delivery delivery) -> {
            assertThat(delivery.key()).isEqualTo(event.reservationId());
            arrived.add(event.getClass().getSimpleName());
        });
        claims = Claims.jdbc(pool).outbox(outbox).build();
    }

    @AfterEach
    void closeClaims() {
        claims.close();
    }

    private ReserveResult.Success reserve(Claims in, Duration ttl) {
        return (ReserveResult.Success) in.reserve("email", "alice@example.com", ttl);
    }

    @Test
    void everyChangeHasItsEvent_inOrder() {
        ReserveResult.Success reserved = reserve(claims, LONG);
        claims.reserve("email", "alice@example.com", LONG);
        claims.confirm(reserved.reservationId(), reserved.token(), "1");
        claims.confirm(reserved.reservationId(), reserved.token(), "1");
        claims.releaseConfirmed(reserved.key(), "1");
        ReserveResult.Success again = reserve(claims, LONG);
        claims.release(again.reservationId(), again.token());

        outbox.deliverNow();

        assertThat(arrived).containsExactly(
                "ClaimReserved", "ClaimConfirmed", "ClaimReleased", "ClaimReserved", "ClaimReleased");
    }

    @Test
    void aClaimThatIsOverHasItsEvent_whetherASweepOrTheNextOwnerFindsIt() {
        reserve(claims, Duration.ofSeconds(1));
        await().until(() -> claims.isAvailable("email", "alice@example.com"));
        reserve(claims, Duration.ofSeconds(1));
        await().until(() -> claims.isAvailable("email", "alice@example.com"));
        assertThat(claims.expireReservations(10)).isEqualTo(1);

        outbox.deliverNow();

        assertThat(arrived).containsExactly("ClaimReserved", "ClaimExpired", "ClaimReserved", "ClaimExpired");
    }

    @Test
    void onlyChosenEventsAreAppended() {
        try (Claims choosy = Claims.jdbc(pool).outbox(outbox, ClaimConfirmed.class, ClaimReleased.class).build()) {
            ReserveResult.Success reserved = reserve(choosy, LONG);
            choosy.confirm(reserved.reservationId(), reserved.token(), "1");
            transaction(connection -> choosy.in(connection).releaseConfirmed(reserved.key(), "1"));

            outbox.deliverNow();

            assertThat(arrived).containsExactly("ClaimConfirmed", "ClaimReleased");
        }
    }

    /** Neither a statement nor a transaction: there is no table, and no commit would succeed. */
    @Test
    void aChangeWhoseEventIsNotChosenSendsNothingToTheOutbox() {
        database.execute("DROP TABLE RESERVATION_OUTBOX");
        ScriptedDriver driver = new ScriptedDriver(pool);
        try (Claims choosy = Claims.jdbc(driver.dataSource()).outbox(outbox, ClaimConfirmed.class).build()) {
            driver.fail(ScriptedDriver.Step.COMMIT, () -> new SQLException("Scripted", "08006"));

            ReserveResult.Success released = reserve(choosy, LONG);
            assertThat(choosy.release(released.reservationId(), released.token()).status()).isEqualTo("success");
            ReserveResult.Success confirmed = reserve(choosy, LONG);
            assertThatThrownBy(
                    () -> choosy.confirm(confirmed.reservationId(), confirmed.token(), "1"))
                    .as("the chosen one").hasMessageContaining("ddl " + kind.ddl() + "-outbox");
        }
    }

    @Test
    void theInterfaceOfAllEventsMeansAll() {
        try (Claims all = Claims.jdbc(pool).outbox(outbox, ClaimReleased.class, ClaimEvent.class).build()) {
            reserve(all, LONG);

            outbox.deliverNow();

            assertThat(arrived).containsExactly("ClaimReserved");
        }
    }

    @Test
    void aFilterIsAskedAtEachChange() {
        Set<Class<?>> chosen = ConcurrentHashMap.newKeySet();
        try (Claims filtered = Claims.jdbc(pool).outbox(outbox, type -> chosen.contains(type)).build()) {
            ReserveResult.Success reserved = reserve(filtered, LONG);
            chosen.add(ClaimReleased.class);
            filtered.release(reserved.reservationId(), reserved.token());

            outbox.deliverNow();

            assertThat(arrived).containsExactly("ClaimReleased");
        }
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void aTypeThatIsNoEventOfClaimsIsRefused() {
        Class wrong = String.class;

        assertThatIllegalArgumentException().isThrownBy(() -> Claims.jdbc(pool).outbox(outbox, wrong))
                .withMessage("types must be types of ClaimEvent, but one is java.lang.String");
    }

    @Test
    void inACallersTransactionTheEventSharesItsFate() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            reserve(claims.in(connection), LONG);
            connection.rollback();
            connection.setAutoCommit(true);
        }
        assertThat(rows()).isZero();

        transaction(connection -> reserve(claims.in(connection), LONG));

        outbox.deliverNow();
        assertThat(arrived).containsExactly("ClaimReserved");
    }

    /** Until the commit is sent, nothing was done: so a release that is refused was made by another call. */
    @Test
    void whatAnotherCallDidIsNotTakenForOwn() {
        ScriptedDriver driver = new ScriptedDriver(pool);
        try (Claims scripted = Claims.jdbc(driver.dataSource()).outbox(outbox).build()) {
            for (ScriptedDriver.Step step : List.of(ScriptedDriver.Step.SEND, ScriptedDriver.Step.REPLY)) {
                ReserveResult.Success reserved = reserve(scripted, LONG);
                claims.release(reserved.reservationId(), reserved.token());
                driver.failNext(step, new SQLException("Scripted", "08006"));

                assertAlreadyReleased(scripted, reserved);
            }
            ReserveResult.Success reserved = reserve(scripted, LONG);
            claims.release(reserved.reservationId(), reserved.token());
            driver.failNext(ScriptedDriver.Step.COMMIT, new SQLException("Scripted", "40001"));
            assertAlreadyReleased(scripted, reserved);
            assertThat(driver.isPlayed()).isTrue();
        }
    }

    private static void assertAlreadyReleased(Claims claims, ReserveResult.Success reserved) {
        assertThat(claims.release(reserved.reservationId(), reserved.token())).isInstanceOfSatisfying(
                ReleaseResult.Failure.class,
                refused -> assertThat(refused.code()).isEqualTo(ClaimErrorCode.RESERVATION_ALREADY_RELEASED));
    }

    @Test
    void aCommitWhoseReplyWasLostFindsItself() {
        ScriptedDriver driver = new ScriptedDriver(pool);
        try (Claims scripted = Claims.jdbc(driver.dataSource()).outbox(outbox).build()) {
            driver.failNext(ScriptedDriver.Step.COMMIT_REPLY, new SQLException("Scripted", "08006"));
            ReserveResult.Success reserved = reserve(scripted, LONG);
            assertThat(reserved.version()).isOne();

            driver.failNext(ScriptedDriver.Step.COMMIT_REPLY, new SQLException("Scripted", "08006"));
            assertThat(scripted.release(reserved.reservationId(), reserved.token()).status()).isEqualTo("success");
            assertThat(driver.isPlayed()).isTrue();
        }
    }

    @Test
    void aFailureBeforeTheFirstStatementSaysWhatToRepair() {
        ScriptedDriver driver = new ScriptedDriver(pool);
        try (Claims scripted = Claims.jdbc(driver.dataSource()).outbox(outbox).build()) {
            driver.failNext(ScriptedDriver.Step.CONNECT, new SQLException("Scripted: wrong password", "28P01"));
            assertThatThrownBy(() -> reserve(scripted, LONG)).cause().isInstanceOfSatisfying(
                    StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.MISCONFIGURED));

            driver.failNext(ScriptedDriver.Step.CONNECT,
                    new SQLTransientConnectionException("Scripted: pool is empty"));
            assertThatThrownBy(() -> reserve(scripted, LONG)).cause().isInstanceOfSatisfying(
                    StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));

            driver.failNext(ScriptedDriver.Step.LOOK_AT_AUTO_COMMIT, new SQLException("Scripted", "08006"));
            assertThat(reserve(scripted, LONG).version()).as("with another connection").isOne();
        }
        assertThat(driver.open()).isZero();
    }

    @Test
    void aClaimWhoseEventCannotBeAppendedIsNotMade() {
        database.execute("DROP TABLE RESERVATION_OUTBOX");

        assertThatThrownBy(() -> reserve(claims, LONG))
                .hasMessageContaining("ddl " + kind.ddl() + "-outbox");

        assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();
    }
}
