// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.ExpirationRun;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.SourceRun;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Starts the job with the context if there is anything to expire, and ends it before everything else, whoever has started it: Spring
 * stops what has a life cycle first, and closes managers and pools afterwards. A job that has ended does not start again.
 */
final class ExpirationSchedule implements BackgroundStop, DisposableBean, HealthDetail {

    private final ObjectProvider<ExpirationJob> jobs;
    private final ObjectProvider<ExpirationSource> sources;
    private final UsedClaims claims;
    private volatile @Nullable ExpirationJob job;
    private volatile boolean started;
    private volatile boolean stopped;

    ExpirationSchedule(
            ObjectProvider<ExpirationJob> jobs, ObjectProvider<ExpirationSource> sources, UsedClaims claims) {
        this.jobs = jobs;
        this.sources = sources;
        this.claims = claims;
    }

    /** Keeps the job to close it at the end, also if a bean of the application starts it. Returns the job. */
    ExpirationJob keep(ExpirationJob made) {
        job = made;
        return made;
    }

    @Override
    public void start() {
        started = true;
        if (!stopped && (sources.stream().findAny().isPresent() || !claims.inUse().isEmpty())) {
            jobs.getObject().start();
        }
    }

    /** Waits for the batches that are under way, as long as the job does. */
    @Override
    public void stop() {
        stopped = true;
        ExpirationJob made = job;
        if (made != null) {
            made.close();
        }
    }

    @Override
    public boolean isRunning() {
        return started && !stopped && job != null;
    }

    /** Closes the job of a context that has not started. */
    @Override
    public void destroy() {
        if (!stopped) {
            stop();
        }
    }

    @Override
    public String healthName() {
        return "expiration";
    }

    /** Returns the last run of each source, if the job has run. */
    @Override
    public Optional<Map<String, Object>> health() {
        return Optional.ofNullable(job).flatMap(ExpirationJob::lastRun).map(ExpirationSchedule::details);
    }

    private static Map<String, Object> details(ExpirationRun run) {
        Map<String, Object> details = new LinkedHashMap<>();
        for (SourceRun source : run.sources()) {
            Map<String, Object> detail = new LinkedHashMap<>();
            detail.put("startedAt", source.startedAt());
            source.lag().ifPresent(lag -> detail.put("lag", lag));
            source.failure().ifPresent(failure -> detail.put("failure", failure.toString()));
            detail.put("setAside", source.setAsideCount());
            details.put(source.source(), detail);
        }
        return details;
    }
}
