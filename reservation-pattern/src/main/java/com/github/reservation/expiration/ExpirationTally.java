// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

/** Counts what a source does in one run. The thread that runs the source calls it. */
public interface ExpirationTally {

    /** Adds a batch of entries that expired. Call it after each commit: it also reports the progress of the run. */
    void processed(long entries);

    /** Adds an entry that could not expire and stays as it was. */
    void failed(FailedRow row);

    /** Sets how many entries failed, in this run or an earlier one, and are not expired yet. */
    void setAside(long entries);

    /** Returns whether the run should end after the current batch, because the job is being closed or its thread interrupted. */
    boolean isStopping();
}
