// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlantedTest {

    private static final Path PAGE =
            Path.of(System.getProperty("models", "../docs/robustness")).resolveSibling("robustness.md");

    @ParameterizedTest
    @EnumSource
    void thePageNamesEachBug_andTheRuleThatFindsIt(Planted bug) throws IOException {
        assertThat(Files.readAllLines(PAGE))
                .anyMatch(line -> line.startsWith("| `" + bug + "` |") && line.endsWith("| `" + bug.rule() + "` |"))
                .anyMatch(line -> !line.startsWith("| `" + bug + "`") && line.contains("`" + bug.rule() + "`"));
    }

    @Test
    void aBugThatDoesNotExistIsRefusedWithTheNamesOfThoseThatDo() {
        assertThatThrownBy(() -> Planted.named("no-such-bug"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"no-such-bug\"")
                .hasMessageContaining("fence-repeats");
    }
}
