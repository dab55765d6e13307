// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A fault that was drawn and has not happened yet. Nothing about it is left to chance.
 *
 * @param victim no two faults strike the same victim at once
 * @param length the time from the strike to the healing
 * @param facts what else the journal is to say
 * @param heal ends the fault, also if the strike has failed
 */
public record Fault(String victim, Duration length, Map<String, Object> facts, Step strike, Step heal) {

    public Fault {
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts)); // Their order stays.
    }

    /** Something that is done to a victim. */
    @FunctionalInterface
    public interface Step {

        void run() throws Exception;
    }

    /** A fault that needs no healing. */
    public static Fault once(String victim, Step strike) {
        return new Fault(victim, Duration.ZERO, Map.of(), strike, () -> {});
    }

    /** A fault without further facts. */
    public static Fault of(String victim, Duration length, Step strike, Step heal) {
        return new Fault(victim, length, Map.of(), strike, heal);
    }

    /** Returns the same fault with one more thing to say. */
    public Fault saying(String fact, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(facts);
        more.put(fact, value);
        return new Fault(victim, length, more, strike, heal);
    }
}
