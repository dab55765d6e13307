// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.reservation.contract.NamedBackends;
import org.junit.jupiter.api.Test;

/** Where tests run on other backends, no server starts. */
class NamedServersTest {

    @Test
    void aServerThatIsNotNamedDoesNotStart() {
        try (NamedBackends named = new NamedBackends("h2")) {
            assertThatThrownBy(PostgresServer::shared).hasMessageContaining("Needs the backend postgresql");
            assertThatThrownBy(PostgresServer::start).hasMessageContaining("Needs the backend postgresql");
            assertThatThrownBy(MariaDbServer::shared).hasMessageContaining("Needs the backend mariadb");
            assertThatThrownBy(MariaDbServer::start).hasMessageContaining("Needs the backend mariadb");
            assertThatThrownBy(MySqlServer::shared).hasMessageContaining("Needs the backend mysql");
            assertThatThrownBy(MySqlServer::start).hasMessageContaining("Needs the backend mysql");
        }
    }
}
