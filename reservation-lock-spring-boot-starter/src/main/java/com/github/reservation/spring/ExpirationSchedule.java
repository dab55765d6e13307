// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.ExpirationSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Starts the job with the context if there is anything to expire, and ends it before everything else: Spring stops what has a life
 * cycle first, and closes managers and pools afterwards. A job that has ended does not start again.
 */
final class ExpirationSchedule implements BackgroundStop {

    private final ObjectProvider<ExpirationJob> jobs;
    private final ObjectProvider<ExpirationSource> sources;
    private final UsedClaims claims;
    private volatile @Nullable ExpirationJob job;
    private volatile boolean running;

    ExpirationSchedule(
            ObjectProvider<ExpirationJob> jobs, ObjectProvider<ExpirationSource> sources, UsedClaims claims) {
        this.jobs = jobs;
        this.sources = sources;
        this.claims = claims;
    }

    @Override
    public void start() {
        if (job == null && (sources.stream().findAny().isPresent() || !claims.inUse().isEmpty())) {
            job = jobs.getObject().start();
            running = true;
        }
    }

    /** Waits for the batch that is under way. */
    @Override
    public void stop() {
        ExpirationJob started = job;
        if (started != null) {
            started.close();
        }
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Returns the last run of each source, if the job was started. */
    Optional<ExpirationRun> lastRun() {
        return Optional.ofNullable(job).flatMap(ExpirationJob::lastRun);
    }
}
