// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.contract.NamedBackends;
import org.junit.jupiter.api.Test;

/** Where tests run on other backends, no member starts. */
class NamedInstancesTest {

    @Test
    void aMemberThatIsNotNamedDoesNotStart() {
        try (NamedBackends named = new NamedBackends("h2")) {
            assertThatThrownBy(TestInstances::member)
                    .hasMessageContaining("Needs the backend hazelcast, and -Dbackends=h2 does not name it");
            assertThatThrownBy(MemberProcess::alone).hasMessageContaining("does not name it");
        }
    }
}
