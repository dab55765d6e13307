// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.List;
import java.util.OptionalLong;

/** A server, or an embedded database, and all that locks keys there. */
interface Store extends AutoCloseable {

    String name();

    /** Returns the product and its version, as it says itself. */
    String version() throws Exception;

    List<Contender> contenders();

    /** Leaves nothing but what the limit needs: a table that grows and grows keeps a database busy. */
    default void startOver() throws Exception {}

    /** Returns how many statements the server has executed for locks, for a difference of two calls; empty if it does not count. */
    default OptionalLong statements() throws Exception {
        return OptionalLong.empty();
    }

    /** Returns how many rounds the JVM needs to compile what is measured: an embedded database is compiled, too. */
    default int warmUpRounds() {
        return 2;
    }
}
