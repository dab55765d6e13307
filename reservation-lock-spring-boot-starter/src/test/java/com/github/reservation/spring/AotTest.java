// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.ClaimReserved;
import com.zaxxer.hikari.HikariConfig;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;

/** Spring can process the starter ahead of time. Nothing here runs a native image. */
class AotTest {

    @Test
    void aContextWithTheStarterCanBeProcessedAheadOfTime() throws Exception {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = context()) {
            new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }
        generated.writeGeneratedContent();
        RuntimeHints hints = generated.getRuntimeHints();

        for (String ddl : List.of("jdbc/postgresql.sql", "claim/postgresql-claims.sql",
                "outbox/postgresql-outbox.sql")) {
            assertThat(getClass().getResource("/com/github/reservation/" + ddl)).isNotNull();
            assertThat(RuntimeHintsPredicates.resource().forResource("com/github/reservation/" + ddl)).accepts(hints);
        }
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Orders.class, "ship")).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Order.class, "id")).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(ReservationProperties.JdbcSettings.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(ClaimReserved.class)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(HikariConfig.class)
                .withMemberCategory(MemberCategory.ACCESS_DECLARED_FIELDS)).accepts(hints);
        assertThat(generated.getGeneratedFiles().getGeneratedFiles(
                Kind.SOURCE).keySet())
                .anyMatch(name -> name.contains("ReservationAutoConfiguration__BeanDefinitions"));
    }

    /** On the JVM, not in a native image. */
    @Test
    @CompileWithForkedClassLoader
    void aContextThatWasProcessedAheadOfTimeLocks() {
        TestGenerationContext generated = new TestGenerationContext();
        try (AnnotationConfigApplicationContext context = context()) {
            new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }
        generated.writeGeneratedContent();

        TestCompiler.forSystem().with(generated).compile(compiled -> {
            try (GenericApplicationContext context = new GenericApplicationContext()) {
                compiled.getInstance(ApplicationContextInitializer.class).initialize(context);
                context.refresh();

                assertThat(context.getBean(Orders.class).ship(new Order("42"))).isEqualTo("orders::42");
            }
        });
    }

    private static AnnotationConfigApplicationContext context() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(
                DataSourceAutoConfiguration.class,
                ReservationAutoConfiguration.class,
                OutboxAutoConfiguration.class,
                ClaimsAutoConfiguration.class,
                ExpirationAutoConfiguration.class,
                ReservedAutoConfiguration.class,
                ReservationActuatorAutoConfiguration.class,
                Orders.class);
        return context;
    }

    public record Order(String id) {}

    public static class Orders {

        @Reserved(domain = "orders", key = "#order.id")
        public String ship(Order order) {
            return CurrentReservation.get().getReservationKey();
        }
    }
}
