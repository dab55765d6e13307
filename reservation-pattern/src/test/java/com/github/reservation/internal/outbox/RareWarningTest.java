// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.LoggedWarnings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RareWarningTest {

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    @Test
    void theFirstOneTellsAll_andTheNextOneAfterTenMinutesHowManyThereWere() {
        RareWarning warning = new RareWarning();
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            warning.log("It failed", new IllegalStateException("first"), MINUTE);
            warning.log("It failed again", new IllegalStateException("second"), 2 * MINUTE);
            warning.log("It failed again", new IllegalStateException("third"), 10 * MINUTE);
            assertThat(warnings.texts()).singleElement().asString().startsWith("It failed. For 10 minutes");
            assertThat(warnings.causes()).singleElement().satisfies(cause -> assertThat(cause).hasMessage("first"));

            warning.log("It still fails", new IllegalStateException("last"), 11 * MINUTE);

            assertThat(warnings.texts()).last().asString()
                    .startsWith("It still fails. That was 3 times since the last warning");
        }
    }
}
