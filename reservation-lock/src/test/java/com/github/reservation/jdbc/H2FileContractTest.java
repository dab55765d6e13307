// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.TestBackend;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract on H2 in a file. */
class H2FileContractTest extends JdbcContract {

    @TempDir
    static Path directory;

    @Override
    protected TestBackend createBackend() {
        return new JdbcBackend("jdbc:h2:file:" + directory.resolve(UUID.randomUUID().toString()), "sa", "", "h2");
    }

    /** See {@link H2ContractTest}. */
    @Override
    protected boolean swallowsInterrupts() {
        return true;
    }
}
