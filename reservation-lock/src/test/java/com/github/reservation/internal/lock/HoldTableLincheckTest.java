// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.internal.Interleaving;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.lock.HoldTable.Hold;
import com.github.reservation.store.LeaseId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two keys of one thread with two generations of holds each, put by the thread and removed by it and by the watch, in
 * every order of their steps. Holds 0 and 2 are of one key, 1 and 3 of the other.
 */
@Param(name = "hold", gen = IntGen.class, conf = "0:3")
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Tag("long")
public class HoldTableLincheckTest {

    private final Thread owner = Thread.currentThread();
    private final HoldTable table = new HoldTable();
    private final Hold[] holds = {hold(0), hold(1), hold(2), hold(3)};

    private static Hold hold(int number) {
        LeaseId lease = new LeaseId(keyOf(number), "holder " + number);
        return new Hold(
                Thread.currentThread(),
                new Grant("id", lease, OptionalLong.of(number), Thread.currentThread(), new Reading(0, 0),
                        Duration.ofSeconds(1), 0));
    }

    private static String keyOf(int number) {
        return "orders::" + number % 2;
    }

    @Test
    void theTableKnowsTheNewestHoldAndNoneThatWasRemoved() {
        new ModelCheckingOptions()
                .iterations(4)
                .invocationsPerIteration(40)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(Model.class)
                .check(HoldTableLincheckTest.class);
    }

    @Test
    void whoRemovesAnOldHoldDoesNotHitTheNextOne() {
        Interleaving.check(() -> new Interleaving.Scene() {

            private final HoldTableLincheckTest test = new HoldTableLincheckTest();
            private int seen;

            {
                test.put(0);
            }

            @Override
            public void here() {
                test.put(2);
                seen = test.find(0);
            }

            @Override
            public void there() {
                test.remove(0);
            }

            @Override
            public boolean endsWell() {
                return seen == 2 && test.find(0) == 2;
            }
        });
    }

    @Operation
    public void put(@Param(name = "hold") int number) {
        table.put(holds[number]);
    }

    @Operation
    public void remove(@Param(name = "hold") int number) {
        table.remove(holds[number]);
    }

    @Operation
    public int find(@Param(name = "key") int key) {
        Hold found = table.find(owner, keyOf(key));
        return found == null ? -1 : (int) found.grant.fence().getAsLong();
    }

    /** The same, one step at a time. */
    public static class Model {

        private final Map<String, Integer> numbers = new HashMap<>();

        public void put(int number) {
            numbers.put(keyOf(number), number);
        }

        public void remove(int number) {
            numbers.remove(keyOf(number), number);
        }

        public int find(int key) {
            return numbers.getOrDefault(keyOf(key), -1);
        }
    }
}
