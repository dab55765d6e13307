// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimExpired;
import com.github.reservation.claim.ClaimReleased;
import com.github.reservation.claim.ClaimReserved;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims whose events go through an outbox, on every database. */
@SideBySide
class ClaimOutboxTest extends OnOutbox {

    private static final Duration LONG = Duration.ofMinutes(5);

    /** Keeps the id and the type alone. */
    private static final OutboxCodec CODEC = new OutboxCodec() {

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

    @Test
    void aClaimWhoseEventCannotBeAppendedIsNotMade() {
        database.execute("DROP TABLE RESERVATION_OUTBOX");

        assertThatThrownBy(() -> reserve(claims, LONG))
                .hasMessageContaining("ddl " + kind.ddl() + "-outbox");

        assertThat(claims.isAvailable("email", "alice@example.com")).isTrue();
    }
}
