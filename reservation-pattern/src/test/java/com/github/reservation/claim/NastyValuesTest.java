// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.ReserveResult.Success;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Texts that databases like to take for one another, or to change. */
abstract class NastyValuesTest extends ClaimTest {

    private static final int THREADS = 8;

    /** Pieces that fold, expand, pad, escape, reverse or vanish somewhere. */
    private static final List<String> PIECES = List.of(
            "a", "A", "\u00e4", "a\u0308", "ss", "\u00df", "\u1e9e", "i", "I", "\u0130", "\u0131", "\u00e9", "e\u0301",
            "\u212a", "K", "\ufb01", "fi", " ", "\t", "\n", "\r", "\u00a0", "\u200b", "\u200d", "\u202e", "\ufeff",
            "\u0001", "\u007f", "\\", "'", "\"", "%", "_", "!", ":", "::", ";", "--", "?", "{", "}", "$1", "NULL",
            "\uff21", "\u0410", "\u4e2d", "\u65e5", "\ud83d\ude00", "\ud83d\udc68\u200d\ud83d\udc69", "\uffff",
            "\ue000");

    @Test
    void nastyValuesAreDistinctAndKeptAsTheyAre() throws Exception {
        List<String> values = new ArrayList<>(values(backend.rounds() * 10));
        List<Callable<Map<String, String>>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            threads.add(() -> {
                Map<String, String> ids = new HashMap<>();
                for (int j = thread; j < values.size(); j += THREADS) {
                    Success reserved = reserved(claims, values.get(j), LONG);
                    assertThat(reserved.version()).as("nobody had it before").isOne();
                    ids.put(reserved.reservationId(), values.get(j));
                }
                return ids;
            });
        }

        Map<String, String> valueOf = new HashMap<>();
        atOnce(threads).forEach(valueOf::putAll);

        assertThat(valueOf).hasSize(values.size());
        for (int i = 0; i < values.size(); i += 10) { // Enough to see what a column does to a piece.
            String value = values.get(i);
            Claim claim = claims.findReservation(ClaimQuery.byKey(EMAIL, value)).orElseThrow();
            assertThat(claim.value()).isEqualTo(value);
            assertThat(valueOf).containsEntry(claim.reservationId(), value);
        }
    }

    /** No database is asked: some would cut such a text, some would replace a part of it, some would refuse it. */
    @Test
    void whatSomeDatabaseWouldChangeIsRefusedEverywhere() {
        for (String piece : PIECES) {
            for (String bad : List.of("\0", "\ud83d", "\ude00", "\ude00\ud83d")) {
                for (String value : List.of(bad + piece, piece + bad, piece + bad + piece)) {
                    if (!isText(value)) {
                        assertRefused(value, ClaimErrorCode.INVALID_VALUE);
                    }
                }
            }
            assertRefused(piece.repeat(1_025), ClaimErrorCode.VALUE_TOO_LONG);
        }
    }

    /** Two halves of a surrogate pair can meet. */
    private static boolean isText(String value) {
        return value.indexOf('\0') < 0 && StandardCharsets.UTF_8.newEncoder().canEncode(value);
    }

    private void assertRefused(String value, ClaimErrorCode code) {
        assertThat(claims.reserve(EMAIL, value, LONG)).isInstanceOfSatisfying(
                ReserveResult.Failure.class, refused -> assertThat(refused.code()).isEqualTo(code));
    }

    /** Returns different texts: all of one and two pieces, then longer ones. */
    private static Set<String> values(int count) {
        Set<String> values = new LinkedHashSet<>(PIECES);
        for (String one : PIECES) {
            for (String other : PIECES) {
                values.add(one + other);
            }
        }
        Random random = new Random(7);
        while (values.size() < count) {
            StringBuilder value = new StringBuilder();
            for (int i = 3 + random.nextInt(5); i > 0; i--) {
                value.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            values.add(value.toString());
        }
        return values;
    }
}
