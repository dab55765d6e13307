// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class InterleavingTest {

    @Test
    void aSceneThatCanEndBadlyDoes() {
        assertThatThrownBy(() -> Interleaving.check(() -> new Interleaving.Scene() {

            private int count;

            @Override
            public void here() {
                count = count + 1;
            }

            @Override
            public void there() {
                count = count + 1;
            }

            @Override
            public boolean endsWell() {
                return count == 2;
            }
        })).isInstanceOf(AssertionError.class).hasMessageContaining("The scene did not end well");
    }
}
