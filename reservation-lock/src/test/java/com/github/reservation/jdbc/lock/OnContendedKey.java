// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** Tests of a key that several nodes want, on one database after another. */
abstract class OnContendedKey {

    @Parameter
    protected Databases kind;

    @TempDir
    private Path directory;

    protected ContendedKey key;

    @BeforeEach
    void open() {
        key = new ContendedKey(kind.open(directory));
    }

    @AfterEach
    void close() throws Exception {
        key.close();
    }
}
