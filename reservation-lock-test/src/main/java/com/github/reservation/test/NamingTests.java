// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.store.LeaseId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which keys and holders are the same: those that are equal, character by character. */
abstract class NamingTests extends StoreTests {

    private static final int MOST_BYTES_OF_A_KEY = 512;
    private static final int MOST_BYTES_OF_A_HOLDER = 256;

    @Test
    void keysDifferByCase() throws Exception {
        assertDifferent(key + "a", key + "A");
    }

    @Test
    void keysDifferByBlanksAtTheirEnd() throws Exception {
        assertDifferent(key, key + " ");
        assertDifferent(key + "  ", key + "\t");
    }

    @Test
    void keysDifferByAccents() throws Exception {
        assertDifferent(key + "e", key + "\u00e9");
        assertDifferent(key + "o", key + "\u00f6");
        assertDifferent(key + "ss", key + "\u00df");
    }

    @Test
    void keysDifferByTheirNormalForm() throws Exception {
        assertDifferent(key + "\u00e9", key + "e\u0301");
        assertDifferent(key + "\ufb01", key + "fi");
    }

    @Test
    void keysMayHaveAnyCharacter() throws Exception {
        assertDifferent(key + "\ud83d\udd12", key + "\ud83d\udd13");
        assertDifferent(key + "'\"\\;--%_*?[]{}()$#/", key + "'\"\\;--%_*?[]{}()$#");
        assertDifferent(key + "\n", key + "\r");
    }

    @Test
    void keysOfFullLengthDifferInTheirLastCharacter() throws Exception {
        String full = key + "x".repeat(MOST_BYTES_OF_A_KEY - key.length() - 1);
        assertDifferent(full + "a", full + "b");
        String threeBytes = key + "\u20ac".repeat((MOST_BYTES_OF_A_KEY - key.length() - 1) / 3);
        assertDifferent(threeBytes + "a", threeBytes + "b");
    }

    /** Both keys can be held at the same time, and the end of one is not the end of the other. */
    private void assertDifferent(String one, String other) throws Exception {
        LeaseId first = acquired(store, one);
        LeaseId second = acquired(otherNode, other);
        assertHeldBy(otherNode, first);
        assertHeldBy(store, second);

        assertThat(store.release(List.of(first))).containsExactly(first);

        assertFree(store, one);
        assertHeldBy(store, second);
        assertThat(store.forceRelease(other)).hasValue(second);
    }

    @Test
    void holdersDifferByCaseAndByBlanksAtTheirEnd() throws Exception {
        LeaseId lease = new LeaseId(key, "holder-a");
        ask(store, lease, LONG);

        for (String other : List.of("holder-A", "holder-a ", " holder-a", "holder-\u00e1")) {
            assertThat(store.release(List.of(new LeaseId(key, other)))).as("released by " + other).isEmpty();
        }

        assertHeldBy(store, lease);
    }

    @Test
    void aHolderOfFullLengthIsKept() throws Exception {
        LeaseId lease = new LeaseId(key, "\u20ac".repeat(MOST_BYTES_OF_A_HOLDER / 3) + "a");
        LeaseId other = new LeaseId(key, "\u20ac".repeat(MOST_BYTES_OF_A_HOLDER / 3) + "b");

        assertThat(isGranted(store, lease)).isTrue();

        assertHeldBy(otherNode, lease);
        assertThat(store.release(List.of(other))).isEmpty();
        assertThat(store.release(List.of(lease))).containsExactly(lease);
    }
}
