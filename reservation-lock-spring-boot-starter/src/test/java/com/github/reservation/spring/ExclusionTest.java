// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application that has the starter on its class path and excludes it. */
class ExclusionTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner();

    @Test
    void withoutItsManagersTheRestOfTheStarterStaysOut() {
        runner.withUserConfiguration(WithoutManagers.class).run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(ReservationManagers.class)
                .doesNotHaveBean("reservationsHealthIndicator")
                .doesNotHaveBean("reservationsInfoContributor"));
    }

    @Test
    void withItsManagersTheRestIsThere() {
        runner.withUserConfiguration(Complete.class).run(context -> assertThat(context)
                .hasSingleBean(ReservationManagers.class)
                .hasBean("reservationsHealthIndicator")
                .hasBean("reservationsInfoContributor"));
    }

    @EnableAutoConfiguration(exclude = {ReservationAutoConfiguration.class, DataSourceAutoConfiguration.class})
    static class WithoutManagers {}

    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Complete {}
}
