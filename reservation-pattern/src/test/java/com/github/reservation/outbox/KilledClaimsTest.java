// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.ReservationException;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.Ddl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections break all the time, while callers fight for values, and an outbox tells what becomes of their claims. */
@SideBySide
class KilledClaimsTest extends OnBreakingConnections {

    private static final int VALUES = 200;
    private static final int CALLERS = 6;
    private static final String EMAIL = "email";

    /** Longer than the test: nobody else may get the value before its owner gives it up. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Which events may follow which: the state after each is the event. A reserve whose commit was not answered may tell it twice. */
    private static final Map<String, List<String>> MAY_FOLLOW = Map.of(
            "", List.of("ClaimReserved"),
            "ClaimReserved", List.of("ClaimReserved", "ClaimConfirmed", "ClaimReleased", "ClaimExpired"),
            "ClaimConfirmed", List.of("ClaimReleased"),
            "ClaimReleased", List.of("ClaimReserved"),
            "ClaimExpired", List.of("ClaimReserved"));

    /** The last event of a claim. One that is over may not be swept yet. */
    private static final Map<ClaimStatus, List<String>> LAST = Map.of(
            ClaimStatus.RESERVED, List.of("ClaimReserved"),
            ClaimStatus.CONFIRMED, List.of("ClaimConfirmed"),
            ClaimStatus.RELEASED, List.of("ClaimReleased"),
            ClaimStatus.EXPIRED, List.of("ClaimExpired", "ClaimReserved"));

    /** By the id of a claim: its events by their ids, in the order of their first deliveries. */
    private final Map<String, Map<Long, String>> events = new ConcurrentHashMap<>();

    private final List<ConfirmResult.Failure> stolen = new CopyOnWriteArrayList<>();
    private final AtomicInteger owned = new AtomicInteger();
    private final List<Claims> opened = new ArrayList<>();

    @AfterEach
    void closeClaims() {
        opened.forEach(Claims::close);
    }

    private Claims instance() {
        Outbox own = build(builder().codec(ClaimOutboxTest.CODEC));
        own.subscribe(LISTENER, ClaimEvent.class, (event, delivery) -> events
                .computeIfAbsent(delivery.key(), id -> Collections.synchronizedMap(new LinkedHashMap<>()))
                .putIfAbsent(delivery.id(), event.getClass().getSimpleName()));
        own.start();
        Claims claims = Claims.jdbc(pool).outbox(own).build();
        opened.add(claims);
        return claims;
    }

    private void fight() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Claims claims = opened.get(random.nextInt(opened.size()));
        try {
            if (random.nextInt(20) == 0) {
                claims.expireReservations(50);
            }
            boolean abandons = random.nextInt(4) == 0;
            if (claims.reserve(EMAIL, "user-" + random.nextInt(VALUES),
                    abandons ? Duration.ofSeconds(1) : LONG) instanceof ReserveResult.Success success && !abandons) {
                owned.incrementAndGet();
                end(claims, success, random.nextBoolean());
            }
        } catch (ReservationException e) {
            // Its connections broke so often that it gave up. What it did counts or not: the events tell.
        }
    }

    /** Nobody else may have had the value before it is confirmed. A release that is repeated may meet the claim of the next owner. */
    private void end(Claims claims, ReserveResult.Success claim, boolean confirms) {
        if (!confirms) {
            claims.release(claim.reservationId(), claim.token());
            return;
        }
        String entity = UUID.randomUUID().toString();
        if (claims.confirm(claim.reservationId(), claim.token(), entity) instanceof ConfirmResult.Failure failure) {
            stolen.add(failure);
        }
        claims.releaseConfirmed(claim.key(), entity);
    }

    @Test
    void noValueHasTwoOwners_andTheEventsOfEachClaimAreAPossibleStory() throws Exception {
        database.execute("DROP TABLE IF EXISTS RESERVATION_CLAIMS");
        database.execute(Ddl.of(kind.ddl() + "-claims"));
        Claims claims = instance();
        instance();

        disturb(CALLERS, this::fight);

        await().atMost(Duration.ofSeconds(60)).until(() -> records() == 0);
        assertThat(killed).hasValueGreaterThan(20);
        assertThat(owned).hasValueGreaterThan(100);
        assertThat(stolen).isEmpty();
        events.forEach((id, story) -> {
            String last = "";
            for (String event : story.values()) {
                assertThat(MAY_FOLLOW.get(last)).as("%s: %s", id, story).contains(event);
                last = event;
            }
            assertThat(LAST.get(claims.findReservation(ClaimQuery.byId(id)).orElseThrow().status()))
                    .as("%s: %s", id, story)
                    .contains(last);
        });
    }
}
