// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The events of the tests, and their codec. */
sealed interface Step {

    int number();

    record Taken(int number) implements Step {}

    record Skipped(int number) implements Step {}

    /** An event with so many bytes. */
    record Large(int number) {}

    /** Writes {@code {"number": 1}}. */
    OutboxCodec CODEC = new OutboxCodec() {

        private static final Pattern JSON = Pattern.compile("\\{\"number\": (\\d+)}");

        @Override
        public String encode(Object event) {
            if (event instanceof Large large) {
                return "x".repeat(large.number());
            }
            if (event instanceof Step step && step.number() >= 0) {
                return "{\"number\": " + step.number() + "}";
            }
            throw new IllegalStateException("cannot write it");
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            if (type == Large.class) {
                return type.cast(new Large(json.length()));
            }
            Matcher matcher = JSON.matcher(json);
            if (!matcher.matches()) {
                throw new IllegalStateException("cannot read it");
            }
            int number = Integer.parseInt(matcher.group(1));
            return type.cast(type == Taken.class ? new Taken(number) : new Skipped(number));
        }
    };
}
