// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a manager guesses of a key, from what it met before. */
class KnownKeysTest {

    private final KnownKeys known = new KnownKeys();

    @Test
    void oneKeyOf32IsTakenForNewUntilOneOfThemWas() {
        assertThat(takenForNew(31)).isZero();
        assertThat(takenForNew(1)).isOne();
        known.wasNew(false);
        assertThat(takenForNew(320)).isEqualTo(10);

        known.wasNew(true);
        assertThat(takenForNew(320)).isEqualTo(320);
    }

    @Test
    void oneKeyThatWasNotNewEndsTheGuess() {
        known.wasNew(true);
        known.wasNew(false);

        assertThat(takenForNew(31)).isZero();
    }

    @Test
    void aKeyThatWasMetIsNotTakenForNew_howeverItEnded() {
        known.wasNew(true);
        known.granted("granted");
        known.contended("refused");

        assertThat(known.isLikelyNew("granted")).isFalse();
        assertThat(known.isLikelyNew("refused")).isFalse();
        assertThat(known.isFree("granted")).isTrue();
        assertThat(known.isContended("refused")).isTrue();
    }

    @Test
    void aContendedKeyThatWasGrantedOnceIsStillContendedAndFreeTheNextTime() {
        known.contended("42");
        known.granted("42");
        assertThat(known.isContended("42")).isTrue();
        assertThat(known.isFree("42")).isFalse();

        known.granted("42");
        assertThat(known.isFree("42")).isTrue();
    }

    @Test
    void tooManyKeysAreForgotten() {
        for (int i = 0; i <= 10_000; i++) {
            known.granted("key-" + i);
        }

        assertThat(known.isFree("key-0")).isFalse();
        assertThat(known.isFree("key-10000")).isFalse();
    }

    private long takenForNew(int keys) {
        return IntStream.range(0, keys).filter(i -> known.isLikelyNew("key-" + i)).count();
    }
}
