// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.outbox.Outbox;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What Spring Boot prints if a bean of the starter is wanted that the application has not asked for. */
@ExtendWith(OutputCaptureExtension.class)
class MissingBeanTest {

    private static void failToStart(Class<?> bean, String... arguments) {
        assertThatExceptionOfType(UnsatisfiedDependencyException.class).isThrownBy(
                () -> new SpringApplicationBuilder(Application.class, bean).web(WebApplicationType.NONE)
                        .run(arguments));
    }

    record WithOutbox(Outbox outbox) {}

    record WithTransactionalOutbox(TransactionalOutbox outbox) {}

    @Test
    void anOutboxNeedsItsProperty(CapturedOutput output) {
        failToStart(WithOutbox.class);
        failToStart(WithTransactionalOutbox.class, "--reservation.outbox.enabled=false");

        assertThat(output).contains(
                "Parameter 0 of constructor in " + WithOutbox.class.getName() + " needs a bean of type "
                        + Outbox.class.getName() + ". There is none, because reservation.outbox.enabled is not true.",
                "Parameter 0 of constructor in " + WithTransactionalOutbox.class.getName(),
                "Set reservation.outbox.enabled=true.").doesNotContain("Consider defining a bean");
    }

    record WithJob(ExpirationJob job) {}

    @Test
    void aJobMustNotBeSwitchedOff(CapturedOutput output) {
        failToStart(WithJob.class, "--reservation.expiration.enabled=false");

        assertThat(output).contains("There is none, because reservation.expiration.enabled is false.",
                "Remove reservation.expiration.enabled=false");
    }

    record WithClaims(Claims claims) {}

    @Test
    void claimsNeedAPlaceThatTheStarterKnows(CapturedOutput output) {
        assertThatExceptionOfType(UnsatisfiedDependencyException.class)
                .isThrownBy(() -> new SpringApplicationBuilder(OwnManagers.class, WithClaims.class)
                        .web(WebApplicationType.NONE).run());

        assertThat(output).contains("the application has its own ReservationManagers", "Define a bean of this type.");
    }

    record WithAnotherType(List<Runnable> none, Runnable another) {}

    @Test
    void anyOtherBeanIsLeftToSpringBoot(CapturedOutput output) {
        failToStart(WithAnotherType.class);

        assertThat(output).contains("Consider defining a bean of type 'java.lang.Runnable'");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnManagers {

        @Bean
        ReservationManagers ownManagers() {
            return new ReservationManagers(domain -> {
                throw new AssertionError("No test asks for one");
            });
        }
    }
}
