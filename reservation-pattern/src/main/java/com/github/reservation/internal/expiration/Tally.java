// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.Ticker;
import com.github.reservation.expiration.ExpirationTally;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.expiration.SourceRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Counts one run of one source. */
final class Tally implements ExpirationTally {

    private static final int MOST_FAILED_ROWS = 100;

    private final String source;
    private final Ticker ticker;
    private final Consumer<? super SourceRun> progress;
    private final BooleanSupplier stopping;
    private final Instant startedAt;
    private final long start;
    private final List<FailedRow> failedRows = new ArrayList<>();
    private long processed;
    private long failed;
    private long setAside;

    Tally(String source, Ticker ticker, Consumer<? super SourceRun> progress, BooleanSupplier stopping) {
        this.source = source;
        this.ticker = ticker;
        this.progress = progress;
        this.stopping = stopping;
        this.startedAt = Instant.ofEpochMilli(ticker.epochMillis());
        this.start = ticker.nanos();
    }

    @Override
    public void processed(long entries) {
        processed += entries;
        progress.accept(result(Optional.empty(), Optional.empty()));
    }

    @Override
    public void failed(FailedRow row) {
        failed++;
        if (failedRows.size() < MOST_FAILED_ROWS) {
            failedRows.add(row);
        }
    }

    @Override
    public void setAside(long entries) {
        setAside = entries;
    }

    @Override
    public boolean isStopping() {
        return stopping.getAsBoolean() || Thread.currentThread().isInterrupted();
    }

    SourceRun result(Optional<Duration> lag, Optional<Throwable> failure) {
        return new SourceRun(
                source,
                startedAt,
                Duration.ofNanos(ticker.nanos() - start),
                processed,
                failed,
                setAside,
                failedRows,
                lag,
                failure);
    }
}
