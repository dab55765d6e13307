// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import com.github.reservation.internal.base.Log;
import com.github.reservation.internal.base.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Closes connections, which gives them back to their pool. A platform thread closes its own; for a virtual thread a platform
 * thread does it.
 *
 * <p>HikariCP, up to 7.1.0 at least, hands a connection to a waiter in a loop that ends when the waiter has run (its issue
 * 2398). A waiter on a virtual thread needs a carrier to run. A virtual thread in that loop keeps its carrier if it is pinned,
 * or if it is interrupted, because then no park in the loop lasts. If all carriers are in such loops, no virtual thread of the
 * JVM runs again.
 */
final class ConnectionCloser {

    private static final long LONGEST_WAIT_SECONDS = 1;

    private ConnectionCloser() {}

    static void close(Connection connection) {
        if (Thread.currentThread().isVirtual()) {
            closeOnPlatformThread(connection);
        } else {
            closeHere(connection);
        }
    }

    /**
     * Waits until the connection is closed, so that a thread has one at a time. The wait has a limit, because the waiter that
     * gets the connection may need the carrier to which the caller is pinned.
     */
    private static void closeOnPlatformThread(Connection connection) {
        CountDownLatch closed = new CountDownLatch(1);
        try {
            Threads.execute(() -> {
                try {
                    closeHere(connection);
                } finally {
                    closed.countDown();
                }
            });
        } catch (OutOfMemoryError e) { // The system has no thread left.
            closeHere(connection);
            return;
        }
        try {
            closed.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeHere(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            Log.debug("Could not close a connection", e);
        }
    }
}
