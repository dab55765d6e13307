// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.lease.LockExecutionResult.Executed;
import com.github.reservation.lease.LockExecutionResult.NotAcquired;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class LockExecutionResultTest {

    private static <T> LockExecutionResult<T> executed(T value) {
        return new Executed<>(value, new LockLease("42", "me", 0), null);
    }

    @Test
    void whatWasExecutedGivesItsValue_nullToo() throws TimeoutException {
        assertThat(executed("label").orElse("none")).isEqualTo("label");
        assertThat(executed("label").orElseThrow(TimeoutException::new)).isEqualTo("label");
        assertThat(LockExecutionResultTest.<String>executed(null).orElse("none")).isNull();
        assertThat(LockExecutionResultTest.<String>executed(null).orElseThrow(TimeoutException::new)).isNull();
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
