// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.worker;

import java.util.random.RandomGenerator;

/** What some threads of a worker do again and again, each with a journal of its calls: one part of the library, used as users do. */
public interface Workload extends AutoCloseable {

    /** Returns how many threads do it. */
    int threads();

    /**
     * Does it once. Every failure that the library may report under faults is noted in the journal; what is thrown from here is a defect,
     * of the library or of the workload, and makes the run fail.
     */
    void once(RandomGenerator random) throws Exception;

    /** Lets go of everything. Called when no thread is in {@link #once} any more. */
    @Override
    void close() throws Exception;
}
