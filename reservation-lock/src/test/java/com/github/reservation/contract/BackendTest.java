// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code -Dbackends} names, and what happens to a test that needs something else. */
class BackendTest {

    @Test
    void withoutAListTestsRunOnAll() {
        assertThat(Backend.named("")).containsExactly(Backend.values());
    }

    @Test
    void aListNamesSome() {
        assertThat(Backend.named("oracle-mode, h2")).containsExactlyInAnyOrder(Backend.H2, Backend.ORACLE_MODE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"derby", "h2,derby", "H2", "h2,,memory"})
    void anUnknownNameFailsAndTheKnownOnesAreListed(String list) {
        assertThatIllegalArgumentException().isThrownBy(() -> Backend.named(list))
                .withMessageContaining("-Dbackends names")
                .withMessageEndingWith(
                        "The backends are memory, h2, postgresql, mariadb, mysql, hazelcast, oracle-mode.");
    }

    @Test
    void anotherSystemIsToldToNameAServer() {
        assertThat(Backend.MARIADB.whyNotOn("Linux", "amd64")).isEmpty();
        assertThat(Backend.MARIADB.whyNotOn("Mac OS X", "aarch64")).hasValue("""
                The server that tests start is for Linux on x86-64, and this is Mac OS X on aarch64. \
                Name one that runs: -Dmariadb.url=jdbc:mariadb://…""");
    }

    @ParameterizedTest
    @EnumSource
    void aTestThatNeedsAnotherBackendIsSkipped(Backend backend) {
        try (NamedBackends named = new NamedBackends("h2")) {
            if (backend == Backend.H2) {
                assertThatCode(backend::require).doesNotThrowAnyException();
            } else {
                assertThatThrownBy(backend::require)
                        .hasMessageContaining("Needs the backend " + backend)
                        .hasMessageContaining("-Dbackends=h2 does not name it");
            }
            assertThat(Needs.Condition.evaluate(backend, false).isDisabled()).isEqualTo(backend != Backend.H2);
        }
    }
}
