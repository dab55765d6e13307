// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.torture.claims.ClaimState.Phase;
import com.github.reservation.torture.history.Call;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The promises of claims for one value, as if calls took effect one after another. Each takes effect at a moment between its start and its
 * end. A claim whose call took effect at {@code t} is over at {@code t + ttl}: so a call may find it over that has not ended by the earliest of
 * these times, and must find it over if it began after the latest.
 */
final class ClaimModel {

    /** The store's clock and that of the history run apart a little. */
    private static final long SLACK = Duration.ofMillis(10).toNanos();

    /** The longest time that a claim of the workload lasts from a call on. */
    private static final long LONGEST = ClaimWorkload.LONGEST_TTL.toNanos();

    private ClaimModel() {}

    /** Returns the state after a call with this answer; empty if it could not have this answer. */
    static Optional<ClaimState> after(ClaimState was, Call call) {
        ClaimState state = was.before(call.end());
        return switch (call.what()) {
            case "reserve" -> reserve(state, call, false);
            case "reserve-idempotent" -> reserve(state, call, true);
            case "confirm" -> own(state, call, () -> state.confirmed(call.text("entity")));
            case "release" -> own(state, call, () -> state.released());
            case "extend" -> own(state, call, () -> extended(state, call))
                    .filter(next -> !call.has("success") || next.until() >= state.until());
            case "release-confirmed" -> releaseConfirmed(state, call);
            case "find" -> find(state, call);
            case "is-available" -> Optional.of(state)
                    .filter(there -> call.has("true") ? mayBeFree(there, call) : mayBeTaken(there, call));
            default -> throw new IllegalStateException("Not a call on claims: " + call);
        };
    }

    /** Returns the state after a call that took effect although it has no answer; empty if it would have changed nothing. */
    static Optional<ClaimState> inDoubt(ClaimState was, Call call, String unknownToken) {
        ClaimState state = was.before(call.end());
        return switch (call.what()) {
            case "reserve", "reserve-idempotent" -> Optional.of(state)
                    .filter(there -> mayBeFree(there, call))
                    .map(there -> new ClaimState(
                            Phase.RESERVED, unknownToken, correlation(call), "", ClaimState.UNSEEN,
                            call.start() + ttl(call), Long.MAX_VALUE, ttl(call)));
            case "confirm" -> Optional.of(state).filter(there -> isOwnAndActive(there, call))
                    .map(there -> there.confirmed(call.text("entity")));
            case "release" -> Optional.of(state).filter(there -> isOwnAndActive(there, call))
                    .map(ClaimState::released);
            case "extend" -> Optional.of(state).filter(there -> isOwnAndActive(there, call))
                    .map(there -> new ClaimState(
                            there.phase(), there.token(), there.correlation(), "", ClaimState.UNSEEN,
                            Math.max(there.earliest(), call.start() + ttl(call)), Long.MAX_VALUE, LONGEST));
            case "release-confirmed" -> Optional.of(state).filter(there -> isConfirmedFor(there, call))
                    .map(ClaimState::released);
            default -> Optional.empty();
        };
    }

    private static Optional<ClaimState> reserve(ClaimState state, Call call, boolean idempotent) {
        return switch (call.result()) {
            case "success" -> mayBeFree(state, call)
                    ? Optional.of(new ClaimState(
                            Phase.RESERVED, call.text("token"), correlation(call), "", call.number("until"),
                            call.start() + ttl(call), call.end() + ttl(call), ttl(call)))
                    : Optional.empty();
            case "existing" -> idempotent && mayBeActive(state, call) && state.correlation().equals(correlation(call))
                    ? shown(state, call.text("token")).flatMap(ours -> endsAsShown(ours, call))
                    : Optional.empty();
            case "conflict" -> call.text("status").equals("CONFIRMED")
                    ? Optional.of(state).filter(there -> there.phase() == Phase.CONFIRMED)
                    : Optional.of(state)
                            .filter(there -> mayBeActive(there, call)
                                    && !(idempotent && there.correlation().equals(correlation(call))))
                            .flatMap(there -> endsAsShown(there, call));
            default -> throw new IllegalStateException("Not an answer to a reservation: " + call);
        };
    }

    /** Changes the claim of a token. */
    private static Optional<ClaimState> own(
            ClaimState state, Call call, Supplier<ClaimState> changed) {
        if (call.has("success")) {
            return isOwnAndActive(state, call)
                    ? Optional.of(changed.get())
                    : Optional.of(state).filter(there -> isDoneAlready(there, call));
        }
        boolean ours = state.token().equals(call.text("token"));
        boolean possible = switch (call.result()) {
            case "RESERVATION_NOT_FOUND" -> state.phase() == Phase.NEW;
            case "RESERVATION_ALREADY_EXPIRED" -> state.phase() != Phase.NEW
                    && (!ours || (state.phase() == Phase.RESERVED && mayBeOver(state, call)));
            case "RESERVATION_ALREADY_CONFIRMED" -> ours && state.phase() == Phase.CONFIRMED
                    && call.fact("existing").filter(entity -> !entity.equals(state.entity())).isEmpty();
            case "RESERVATION_ALREADY_RELEASED" -> ours && state.phase() == Phase.RELEASED;
            default -> throw new IllegalStateException("Not an answer to a change: " + call);
        };
        return possible ? Optional.of(state) : Optional.empty();
    }

    /** After a lost reply the library repeats a release, and takes it for its own if the claim of the token is released: whoever did that. */
    private static boolean isDoneAlready(ClaimState state, Call call) {
        return call.fact("doubts").isPresent() && state.phase() == Phase.RELEASED
                && (call.is("release")
                        ? state.token().equals(call.text("token"))
                        : call.is("release-confirmed") && state.entity().equals(call.text("entity")));
    }

    private static ClaimState extended(ClaimState state, Call call) {
        long latest = Math.max(state.latest(), call.end() + ttl(call));
        return new ClaimState(
                state.phase(), state.token(), state.correlation(), "", call.number("until"),
                Math.max(state.earliest(), call.start() + ttl(call)), latest, LONGEST);
    }

    private static Optional<ClaimState> releaseConfirmed(ClaimState state, Call call) {
        boolean released = state.phase() == Phase.RELEASED && state.entity().equals(call.text("entity"));
        return switch (call.result()) {
            case "success" -> isConfirmedFor(state, call)
                    ? Optional.of(state.released())
                    : Optional.of(state).filter(there -> isDoneAlready(there, call));
            case "RESERVATION_ALREADY_RELEASED" -> Optional.of(state).filter(there -> released);
            case "RESERVATION_NOT_FOUND" -> Optional.of(state)
                    .filter(there -> !released && !isConfirmedFor(there, call));
            default -> throw new IllegalStateException("Not an answer to a release of an entity's value: " + call);
        };
    }

    private static Optional<ClaimState> find(ClaimState state, Call call) {
        return switch (call.result()) {
            case "none" -> Optional.of(state).filter(there -> there.phase() == Phase.NEW);
            case "RESERVED" -> Optional.of(state).filter(there -> mayBeActive(there, call))
                    .flatMap(there -> endsAsShown(there, call));
            case "EXPIRED" -> Optional.of(state)
                    .filter(there -> there.phase() == Phase.RESERVED && mayBeOver(there, call))
                    .flatMap(there -> endsAsShown(there, call));
            case "CONFIRMED" -> Optional.of(state)
                    .filter(there -> there.phase() == Phase.CONFIRMED && there.entity().equals(call.text("entity")));
            case "RELEASED" -> Optional.of(state).filter(there -> there.phase() == Phase.RELEASED);
            default -> throw new IllegalStateException("Not an answer to a query: " + call);
        };
    }

    /** The answer shows whose claim it is, if nobody knew that. */
    private static Optional<ClaimState> shown(ClaimState state, String token) {
        return state.token().startsWith("?")
                ? Optional.of(state.of(token))
                : Optional.of(state).filter(there -> there.token().equals(token));
    }

    /** Two answers about a claim name the same end, to the microsecond. */
    private static Optional<ClaimState> endsAsShown(ClaimState state, Call call) {
        long until = call.number("until");
        return state.until() == ClaimState.UNSEEN
                ? Optional.of(state.endingAt(until))
                : Optional.of(state).filter(there -> there.until() == until);
    }

    private static boolean mayBeFree(ClaimState state, Call call) {
        return switch (state.phase()) {
            case NEW, RELEASED -> true;
            case RESERVED -> mayBeOver(state, call);
            case CONFIRMED -> false;
        };
    }

    private static boolean mayBeTaken(ClaimState state, Call call) {
        return state.phase() == Phase.CONFIRMED || mayBeActive(state, call);
    }

    private static boolean mayBeOver(ClaimState state, Call call) {
        return call.end() == Call.NEVER || call.end() + SLACK >= state.earliest();
    }

    private static boolean mayBeActive(ClaimState state, Call call) {
        return state.phase() == Phase.RESERVED
                && (state.latest() == Long.MAX_VALUE || call.start() - SLACK <= state.latest());
    }

    private static boolean isOwnAndActive(ClaimState state, Call call) {
        return mayBeActive(state, call) && state.token().equals(call.text("token"));
    }

    private static boolean isConfirmedFor(ClaimState state, Call call) {
        return state.phase() == Phase.CONFIRMED && state.entity().equals(call.text("entity"));
    }

    private static String correlation(Call call) {
        return call.fact("correlation").orElse("");
    }

    private static long ttl(Call call) {
        return Duration.ofMillis(call.number("ttl")).toNanos();
    }
}
