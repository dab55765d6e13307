// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.DriverContract;
import com.github.reservation.contract.Needs;
import com.github.reservation.contract.TestBackend;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file. */
@Needs(Backend.H2)
@Tag("long")
class H2FileContractTest extends DriverContract {

    @TempDir
    static Path directory;

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend("jdbc:h2:file:" + directory.resolve(UUID.randomUUID().toString()), "sa", "", "h2");
    }
}
