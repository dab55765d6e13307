// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one run of one source did.
 *
 * @param source the name of the source
 * @param startedAt when the run started, by the clock of this machine
 * @param duration how long it took
 * @param processedCount the rows that expired
 * @param failedCount the rows that were tried in this run and failed
 * @param setAsideCount the rows that failed, in this run or an earlier one, and are not expired yet
 * @param failedRows the first 100 of the rows that failed in this run
 * @param lag for how long the oldest overdue row was overdue at the end of the run; empty if that is not known
 * @param failure why the run ended early; empty if it did not
 */
public record SourceRun(
        String source,
        Instant startedAt,
        Duration duration,
        long processedCount,
        long failedCount,
        long setAsideCount,
        List<FailedRow> failedRows,
        Optional<Duration> lag,
        Optional<Throwable> failure) {

    public SourceRun {
        failedRows = List.copyOf(failedRows);
    }
}
