// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.ReservationManager;
import org.junit.jupiter.api.Test;

/** The property {@code reservation.holder-label}. */
class HolderLabelTest {

    @Test
    void itNamesTheProcessInTheNamesOfHolders() {
        Starter.inMemory().withPropertyValues("reservation.holder-label=checkout-1").run(context -> {
            ReservationManager orders = context.getBean(ReservationManagers.class).get("orders");

            orders.run("42", held -> assertThat(orders.findReservation("42"))
                    .hasValueSatisfying(info -> assertThat(info.holder()).endsWith("@checkout-1")));
        });
    }

    @Test
    void aWrongOneIsSaidAtTheStart() {
        Starter.inMemory()
                .withPropertyValues("reservation.holder-label=two words")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContainingAll("holderLabel", "1 to 100 printable characters", "\"two words\""));
    }
}
