// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.contract.StressContract;
import com.github.reservation.contract.TestBackend;
import com.github.reservation.jdbc.server.PostgresServer;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Interrupts by the thousand on virtual threads only: there an interrupt inside a socket read closes the socket, and on
 * any thread one inside the file I/O of an embedded database closes the file.
 */
@SideBySide
class InterruptStormTest {

    private abstract static class Storm extends StressContract {

        @Override
        protected boolean stormsOnVirtualThreadsOnly() {
            return true;
        }

        @Override
        protected int roundsPerThread() {
            return 20;
        }
    }

    @Nested
    @ResourceLock("stress")
    class OnPostgreSql extends Storm {

        @Override
        protected TestBackend createBackend() {
            return JdbcBackend.on(PostgresServer.shared(), "postgresql");
        }
    }

    @Nested
    @ResourceLock("stress")
    class OnAnH2File extends Storm {

        @TempDir
        Path directory;

        @Override
        protected TestBackend createBackend() {
            String file = directory.resolve(UUID.randomUUID().toString()).toString();
            return new JdbcBackend("jdbc:h2:file:" + file, "sa", "", "h2");
        }

    }
}
