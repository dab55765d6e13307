// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Chooses what to call. */
final class ClaimCalls {

    private static final int CORRELATIONS = 3;

    private final String worker;
    private final KnownClaims known;

    /** Not from 0 on: the worker may replace one of the same name. */
    private final AtomicLong entities = new AtomicLong(System.nanoTime());

    ClaimCalls(String worker, KnownClaims known) {
        this.worker = worker;
        this.known = known;
    }

    /** A call on a value, and the facts that the journal notes before it. */
    record Wanted(String what, String value, Function<Claims, Answer> call, Object... facts) {

        Answer on(Claims claims) {
            return call.apply(claims);
        }
    }

    /** Lets calls use the token of an answer that is noted. */
    void learn(String value, ClaimToken token) {
        known.reserved(value, token);
    }

    /** Chooses a call on this value; none if the worker knows too little for it. */
    Optional<Wanted> any(String value, RandomGenerator random) {
        int draw = random.nextInt(100);
        if (draw < 20) {
            return Optional.of(reserve(value, random));
        } else if (draw < 32) {
            return Optional.of(reserveIdempotent(value, random));
        } else if (draw < 44) {
            return Optional.of(find(value));
        } else if (draw < 50) {
            return Optional.of(isAvailable(value));
        } else if (draw < 62) {
            return known.entity(value).map(entity -> releaseConfirmed(value, entity));
        }
        if (WantedValues.isLeftAlone(value) && random.nextInt(10) > 0) {
            return Optional.of(find(value));
        }
        return known.token(value, random).map(token -> draw < 72
                ? confirm(value, token)
                : draw < 84 ? release(value, token) : extend(value, token, random));
    }

    private Wanted reserve(String value, RandomGenerator random) {
        Duration ttl = ttl(random);
        return new Wanted(
                "reserve", value, claims -> Answer.of(claims.reserve(ClaimWorkload.TYPE, value, ttl)),
                "ttl", ttl.toMillis());
    }

    private Wanted reserveIdempotent(String value, RandomGenerator random) {
        Duration ttl = ttl(random);
        String correlation = "c" + random.nextInt(CORRELATIONS);
        return new Wanted(
                "reserve-idempotent", value,
                claims -> Answer.of(claims.reserveIdempotent(ClaimWorkload.TYPE, value, ttl, correlation)),
                "ttl", ttl.toMillis(), "correlation", correlation);
    }

    /** Half of them are as short as possible: they end before anything else happens to them. */
    private static Duration ttl(RandomGenerator random) {
        return random.nextBoolean()
                ? Claims.MIN_TTL
                : Duration.ofMillis(random.nextLong(Claims.MIN_TTL.toMillis(), ClaimWorkload.LONGEST_TTL.toMillis()));
    }

    private Wanted confirm(String value, ClaimToken token) {
        String entity = worker + "-" + entities.incrementAndGet();
        return new Wanted("confirm", value, claims -> {
            known.belongsTo(value, entity);
            return Answer.of(claims.confirm(id(value), token, entity));
        }, "token", ClaimWorkload.digest(token), "entity", entity);
    }

    private static Wanted release(String value, ClaimToken token) {
        return new Wanted("release", value, claims -> Answer.of(claims.release(id(value), token)),
                "token", ClaimWorkload.digest(token));
    }

    private static Wanted extend(String value, ClaimToken token, RandomGenerator random) {
        Duration ttl = ttl(random);
        return new Wanted("extend", value, claims -> Answer.of(claims.extend(id(value), token, ttl)),
                "token", ClaimWorkload.digest(token), "ttl", ttl.toMillis());
    }

    private static Wanted releaseConfirmed(String value, String entity) {
        return new Wanted("release-confirmed", value,
                claims -> Answer.of(claims.releaseConfirmed(ClaimWorkload.TYPE + ":" + value, entity)),
                "entity", entity);
    }

    private Wanted find(String value) {
        return new Wanted("find", value, claims -> {
            var found = claims.findReservation(ClaimQuery.byKey(ClaimWorkload.TYPE, value));
            found.flatMap(claim -> claim.entityId()).ifPresent(entity -> known.belongsTo(value, entity));
            return Answer.of(found);
        });
    }

    private static Wanted isAvailable(String value) {
        return new Wanted("is-available", value,
                claims -> Answer.of(String.valueOf(claims.isAvailable(ClaimWorkload.TYPE, value))));
    }

    private static String id(String value) {
        return Claims.hashReservationId(ClaimWorkload.TYPE, value);
    }
}
