// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.util.List;

/**
 * What a run of a job did.
 *
 * @param sources one result for each source, in the order in which the job has them; none for a source whose run had not begun when
 *     the job was closed or the thread interrupted
 */
public record ExpirationRun(List<SourceRun> sources) {

    public ExpirationRun {
        sources = List.copyOf(sources);
    }

    /** Returns the rows of all sources that expired. */
    public long processedCount() {
        return sources.stream().mapToLong(SourceRun::processedCount).sum();
    }

    /** Returns the rows of all sources that failed. */
    public long failedCount() {
        return sources.stream().mapToLong(SourceRun::failedCount).sum();
    }

    /** Returns the milliseconds that all sources took. */
    public long durationMs() {
        return sources.stream().mapToLong(run -> run.duration().toMillis()).sum();
    }
}
