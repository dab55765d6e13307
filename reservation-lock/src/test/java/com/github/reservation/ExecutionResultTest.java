// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.ExecutionResult.Executed;
import com.github.reservation.ExecutionResult.NotAcquired;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ExecutionResultTest {

    @Test
    void whatWasExecutedGivesItsValue_nullToo() throws TimeoutException {
        assertThat(new Executed<>("label").orElse("none")).isEqualTo("label");
        assertThat(new Executed<>("label").orElseThrow(TimeoutException::new)).isEqualTo("label");
        assertThat(new Executed<String>(null).orElse("none")).isNull();
        assertThat(new Executed<String>(null).orElseThrow(TimeoutException::new)).isNull();
    }

    @Test
    void whatWasNotAcquiredGivesTheOtherValueOrThrows() {
        assertThat(new NotAcquired<String>().orElse("none")).isEqualTo("none");
        assertThat(new NotAcquired<String>().orElse(null)).isNull();
        assertThatThrownBy(() -> new NotAcquired<String>().orElseThrow(() -> new TimeoutException("too late")))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("too late");
    }
}
