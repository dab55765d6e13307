// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.MySqlServer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What the starter makes of a MySQL data source. */
@Needs(Backend.MYSQL)
class MySqlContextTest extends DatabaseContextTests {

    MySqlContextTest() {
        super(MySqlServer.shared().newDatabase());
    }

    @Test
    void locksHaveFencingTokens() {
        runner().run(context -> {
            AtomicLong fence = new AtomicLong();
            for (int round = 0; round < 2; round++) {
                context.getBean(ReservationManagers.class).get("orders").run("42", held -> assertThat(
                        fence.getAndSet(held.fencingToken().orElseThrow())).isLessThan(fence.get()));
            }
            assertThat(fence).hasPositiveValue();
        });
    }

    @Test
    void aMissingTableNamesTheDdlOfMySql() {
        runner().withPropertyValues("reservation.jdbc.initialize-schema=embedded").run(
                context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(
                        "java -jar reservation-lock.jar ddl mysql prints"));
    }
}
