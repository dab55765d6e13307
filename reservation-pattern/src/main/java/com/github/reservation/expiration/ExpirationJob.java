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
 * Its sources do not wait for each other. The runs of one source never overlap. A run that fails does not end the schedule.
 */
public interface ExpirationJob extends AutoCloseable {

    /** Returns a builder without sources. */
    static ExpirationJobBuilder builder() {
        return new ExpirationJobBuilder();
    }

    /**
     * Starts the schedule: runs all sources at once, and each of them again one interval after its run has ended. It returns at once.
     * Each source has a daemon thread of the library, so a source that hangs does not delay the others. A second call does nothing.
     *
     * @return this job
     * @throws IllegalStateException if the job is closed
     */
    ExpirationJob start();

    /**
     * Runs all sources now, one after another on the calling thread, and returns when they are done. A source whose run is under way on
     * another thread comes last: the method waits until that run ends, the job is closed or the calling thread is interrupted. It works
     * with and without a schedule.
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
     * Ends the schedule and waits for the batches that are under way. The remaining rows stay as they are, for another instance or
     * another time. It waits for {@link ExpirationJobBuilder#closeTimeout} at most, and logs a warning for each source that still runs
     * then: that run goes on in its thread, and ends after its batch. If the calling thread is interrupted while it waits, the method
     * returns and the flag stays set. A source or a listener that closes its own job does not wait. A second call only waits again.
     */
    @Override
    void close();
}
