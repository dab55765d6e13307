// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.spring.ReservationProperties.InitializeSchema;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What a user reads whose database is none of those that the library knows by name. */
class ForeignDatabaseTest {

    @ParameterizedTest
    @EnumSource(value = InitializeSchema.class, names = {"EMBEDDED", "ALWAYS"})
    void anUnknownDatabaseIsNamedWithTheProperty(InitializeSchema initialize) {
        on("Microsoft SQL Server", "16.0", "reservation.jdbc.initialize-schema=" + initialize).run(
                context -> assertThat(analysis(context.getStartupFailure())).satisfies(failure -> {
                    assertThat(failure.getDescription()).contains("RESERVATION_LOCKS", "Microsoft SQL Server");
                    assertThat(failure.getAction()).contains("reservation.jdbc.database");
                }));
    }

    @Test
    void thePropertySaysWhatItIsLike() {
        on("Something like H2", "1", "reservation.jdbc.initialize-schema=always", "reservation.jdbc.database=h2")
                .run(context -> context.getBean(ReservationManagers.class).get("orders").run("42", held -> {}));
    }

    @Test
    void aMariaDbBehindTheDriverOfMySqlNeedsTheTableOfMariaDb() {
        on("MySQL", "5.5.5-11.4.2-MariaDB-log", "reservation.jdbc.initialize-schema=embedded").run(
                context -> assertThat(analysis(context.getStartupFailure()).getAction())
                        .contains("ddl mariadb prints"));
    }

    private static ApplicationContextRunner on(String product, String version, String... properties) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:" + product.replace(' ', '-') + ";DB_CLOSE_DELAY=-1");
        return Starter.alone()
                .withBean(DelegatingDataSource.class, () -> new Foreign(h2, product, version))
                .withPropertyValues(properties);
    }

    private static FailureAnalysis analysis(Throwable failure) {
        return new ReservationConfigurationFailureAnalyzer().analyze(failure);
    }

    /** An H2 that says it is another product. */
    static class Foreign extends DelegatingDataSource {

        private final Map<String, String> said;

        Foreign(JdbcDataSource h2, String product, String version) {
            super(h2);
            this.said = Map.of("getDatabaseProductName", product, "getDatabaseProductVersion", version);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            DatabaseMetaData known = connection.getMetaData();
            DatabaseMetaData foreign = proxy(DatabaseMetaData.class, known, said);
            return proxy(Connection.class, connection, Map.of("getMetaData", foreign));
        }

        private static <T> T proxy(Class<T> type, T target, Map<String, ?> answers) {
            return type
                    .cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, args) -> {
                        if (answers.containsKey(method.getName())) {
                            return answers.get(method.getName());
                        }
                        try {
                            return method.invoke(target, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }
}
