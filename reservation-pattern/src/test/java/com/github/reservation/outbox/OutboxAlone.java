// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import com.github.reservation.jdbc.Ddl;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/** Delivers an event in a JVM that has nothing but H2, see {@code OptionalDependenciesTest}. */
public final class OutboxAlone {

    /** Events are texts. */
    private static final OutboxCodec TEXTS = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return (String) event;
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(json);
        }
    };

    private OutboxAlone() {}

    public static void main(String[] args) throws SQLException {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:alone;DB_CLOSE_DELAY=-1");
        try {
            Outbox.jdbc(dataSource).build();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try (Outbox outbox = Outbox.jdbc(dataSource).codec(TEXTS).build();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(Ddl.of("h2-outbox"));
            outbox.subscribe("printer", String.class, text -> System.out.println("arrived " + text));
            connection.setAutoCommit(false);
            outbox.append(connection, "key", "hello");
            connection.commit();
            System.out.println("delivered " + outbox.deliverNow());
        }
    }
}
