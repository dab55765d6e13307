// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import com.github.reservation.ReservationException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Expires what is overdue in its sources, again and again.
 *
 * {@snippet file="com/github/reservation/demo/PickupOrders.java" region="job"}
 *
 * <p>Run a job in every instance of the application: the instances share the work, and each row expires once. A job is thread-safe.
 * Its runs never overlap. A run that fails does not end the schedule.
 */
public interface ExpirationJob extends AutoCloseable {

    /** Returns a builder without sources. */
    static ExpirationJobBuilder builder() {
        return new ExpirationJobBuilder();
    }

    /**
     * Starts the schedule: runs all sources at once, and each of them again one interval after its run has ended. It returns at once.
     * The runs use a daemon thread of the library. A second call does nothing.
     *
     * @return this job
     * @throws IllegalStateException if the job is closed
     */
    ExpirationJob start();

    /**
     * Runs all sources now, on the calling thread, and returns when they are done. If a run is under way, it waits for its end
     * first. It works with and without a schedule.
     *
     * <p>It throws nothing if a source fails, also if the store is down: see {@link SourceRun#failure()}. An interrupt ends the run
     * after the current batch, and the flag stays set.
     *
     * @throws IllegalStateException if the job is closed, or if a source or a listener calls this method during a run
     */
    ExpirationRun runOnce();

    /** Returns the last run of each source; empty before the first run has ended. It does not block. */
    Optional<ExpirationRun> lastRun();

    /**
     * Asks each source for how long its oldest overdue row has been overdue. It blocks for one query per source.
     *
     * @return the lag by the name of the source
     * @throws ReservationException if a store does not answer
     */
    Map<String, Duration> lag();

    /**
     * Ends the schedule and waits for the batch that is under way. The remaining rows stay as they are, for another instance or
     * another time. If the calling thread is interrupted while it waits, the method returns and the flag stays set. A second call
     * does nothing.
     */
    @Override
    void close();
}
