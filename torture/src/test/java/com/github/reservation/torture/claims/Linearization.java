// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.torture.history.Call;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Searches for an order of the calls on one value that explains their answers: each call at a moment between its start and its end, one after
 * another. This is the search of Wing and Gong, with Lowe's memory of what was tried in vain.
 *
 * <p>A call without an answer, and a request whose reply the library has lost, may take effect at any time after its start, or never. The search
 * tries these last.
 */
final class Linearization {

    /** What was tried in vain is remembered up to here; a search that needs more gives up. */
    private static final int MOST_NODES = 200_000;

    /** How many requests of a call that has never returned may have taken effect. */
    private static final int REQUESTS_OF_A_LOST_CALL = 3;

    enum Outcome {
        LEGAL, ILLEGAL, UNDECIDED
    }

    /** A point of the search that was tried: these calls, from the first one on that is left, and this state. */
    private record Node(int first, BitSet done, BitSet used, ClaimState state) {}

    /** A way to go on. */
    private record Move(boolean inDoubt, int index, ClaimState next) {}

    private record Frame(ClaimState state, int first, Optional<Move> by, Deque<Move> moves) {}

    private final List<Call> answered;
    private final List<Call> doubtful = new ArrayList<>();
    private final BitSet done = new BitSet();
    private final BitSet used = new BitSet();
    private final Set<Node> seen = new HashSet<>();
    private int farthest = -1;
    private String stuck = "";

    /**
     * Makes a search.
     *
     * @param calls those on one value, in the order of their starts
     */
    Linearization(List<Call> calls) {
        answered = calls.stream().filter(Linearization::hasAnswer).toList();
        calls.forEach(call -> doubtful.addAll(requestsInDoubt(call)));
    }

    private static boolean hasAnswer(Call call) {
        return !call.has("failed") && !call.has(Call.UNKNOWN) && !call.has("rolled-back");
    }

    private static List<Call> requestsInDoubt(Call call) {
        int requests = call.has(Call.UNKNOWN)
                ? REQUESTS_OF_A_LOST_CALL
                : call.fact("doubts").map(Integer::parseInt).orElse(0);
        Call late = new Call(
                call.worker(), call.thread(), call.start(), Call.NEVER, call.what(), call.key(), call.result(),
                call.facts());
        return Collections.nCopies(requests, late);
    }

    /** Says where the search got stuck that came farthest. */
    String stuck() {
        return stuck;
    }

    Outcome search() {
        Deque<Frame> path = new ArrayDeque<>();
        path.push(frame(ClaimState.NEW, 0, Optional.empty()));
        while (!path.isEmpty()) {
            Frame frame = path.peek();
            if (frame.first() == answered.size()) {
                return Outcome.LEGAL;
            }
            Move move = frame.moves().poll();
            if (move == null) {
                path.pop().by().ifPresent(this::undo);
                continue;
            }
            bits(move).set(move.index());
            int first = done.nextClearBit(frame.first());
            Node node = new Node(first, done.get(first, Math.max(first, done.length())), (BitSet) used.clone(),
                    move.next());
            if (seen.add(node)) {
                path.push(frame(move.next(), first, Optional.of(move)));
            } else {
                undo(move);
            }
            if (seen.size() > MOST_NODES) {
                return Outcome.UNDECIDED;
            }
        }
        return Outcome.ILLEGAL;
    }

    private BitSet bits(Move move) {
        return move.inDoubt() ? used : done;
    }

    private void undo(Move move) {
        bits(move).clear(move.index());
    }

    /** Finds the calls that may be next: those that began before any of the others ended. */
    private Frame frame(ClaimState state, int first, Optional<Move> by) {
        List<Integer> open = new ArrayList<>();
        long end = Long.MAX_VALUE;
        for (int i = first; i < answered.size() && answered.get(i).start() <= end; i++) {
            if (!done.get(i)) {
                open.add(i);
                end = Math.min(end, answered.get(i).end());
            }
        }
        long latest = end;
        open.removeIf(i -> answered.get(i).start() > latest);
        open.sort(Comparator.comparingLong(i -> answered.get(i).end()));
        Deque<Move> moves = new ArrayDeque<>();
        for (int i : open) {
            ClaimModel.after(state, answered.get(i)).ifPresent(next -> moves.add(new Move(false, i, next)));
        }
        addDoubtful(state, latest, moves);
        if (done.cardinality() > farthest) {
            farthest = done.cardinality();
            stuck = state + " cannot go on with " + open.stream().map(answered::get).toList();
        }
        return new Frame(state, first, by, moves);
    }

    private void addDoubtful(ClaimState state, long latest, Deque<Move> moves) {
        for (int i = 0; i < doubtful.size() && doubtful.get(i).start() <= latest; i++) {
            int index = i;
            boolean isSecond = i > 0 && doubtful.get(i - 1) == doubtful.get(i) && !used.get(i - 1);
            if (!used.get(i) && !isSecond) {
                ClaimModel.inDoubt(state, doubtful.get(i), "?" + i)
                        .ifPresent(next -> moves.add(new Move(true, index, next)));
            }
        }
    }
}
