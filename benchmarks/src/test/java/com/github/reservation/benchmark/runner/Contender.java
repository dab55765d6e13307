// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;

/**
 * Something that locks keys.
 *
 * @param setup how it is configured, for the reader of the results
 * @param measures what it takes part in
 * @param limitOf what it is the limit of
 */
record Contender(String name, String setup, Set<Measure> measures, Set<Measure> limitOf, Node.Factory nodes) {

    /** How the library is called everywhere. */
    static final String OURS = "reservation-lock";

    static Contender of(String name, String setup, Set<Measure> measures, Node.Factory nodes) {
        return new Contender(name, setup, measures, Set.of(), nodes);
    }

    static Contender limit(String name, String setup, Set<Measure> measures, Node.Factory nodes) {
        return new Contender(name, setup, measures, measures, nodes);
    }

    @SafeVarargs
    static Set<Measure> all(Collection<Measure>... measures) {
        Set<Measure> all = EnumSet.noneOf(Measure.class);
        Arrays.stream(measures).forEach(all::addAll);
        return all;
    }
}
