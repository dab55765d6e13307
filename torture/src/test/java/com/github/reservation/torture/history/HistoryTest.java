// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

    @TempDir
    private Path directory;

    @Test
    void keepsACallWithoutAnAnswer_alsoIfItsThreadGoesOn_andLeavesAHalfLineOut() throws IOException {
        Files.writeString(directory.resolve("worker-1.log"), """
                > 100 7 acquire key-1 lease=2000
                > 200 7 acquire key-2 lease=2000
                < 300 7 granted fence=1
                > 400 7 acq\
                """);

        assertThat(History.in(directory).calls()).extracting(Call::key, Call::result, Call::end).containsExactly(
                tuple("key-1", Call.UNKNOWN, Call.NEVER),
                tuple("key-2", "granted", 300L));
    }
}
