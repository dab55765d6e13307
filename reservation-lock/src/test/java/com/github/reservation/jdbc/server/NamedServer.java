// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * A server that runs already: {@code -Dpostgresql.url=jdbc:postgresql://host/postgres}, with {@code -Dpostgresql.user} and
 * {@code -Dpostgresql.password}, or both as parameters of the URL. Tests create databases there and drop them when the JVM
 * ends; they do not break the server.
 */
final class NamedServer implements DatabaseServer {

    private static final Pattern URL = Pattern.compile("(jdbc:[a-z]+://[^/?]+/)([^?]*)([?].*)?");
    private static final Pattern PARAMETER = Pattern.compile("[?&](user|password)=([^&]*)");

    private final String server;
    private final String database;
    private final String user;
    private final String password;
    private final List<String> created = new CopyOnWriteArrayList<>();

    private NamedServer(String name, String url) {
        Matcher parts = URL.matcher(url);
        String parameters = parts.matches() && parts.group(3) != null ? parts.group(3) : "";
        if (!parts.matches() || !PARAMETER.matcher(parameters).replaceAll("").isEmpty()) {
            throw new IllegalArgumentException("-D" + name + ".url must be like jdbc:" + name
                    + "://host:port/database, with no parameters but user and password, and is " + url);
        }
        server = parts.group(1);
        database = parts.group(2);
        user = setting(name, "user", parameters);
        password = setting(name, "password", parameters);
        Runtime.getRuntime().addShutdownHook(new Thread(this::dropAll));
    }

    /** Returns the server that {@code -D<name>.url} names, if it does. */
    static Optional<DatabaseServer> of(String name) {
        return Optional.ofNullable(System.getProperty(name + ".url")).map(url -> new NamedServer(name, url));
    }

    private static String setting(String name, String key, String parameters) {
        return PARAMETER.matcher(parameters).results()
                .filter(parameter -> parameter.group(1).equals(key))
                .map(parameter -> parameter.group(2))
                .findFirst()
                .orElseGet(() -> System.getProperty(name + "." + key, ""));
    }

    @Override
    public String url() {
        return server + database;
    }

    @Override
    public String user() {
        return user;
    }

    @Override
    public String password() {
        return password;
    }

    @Override
    public DataSource dataSource() {
        return dataSource(url());
    }

    private DataSource dataSource(String url) {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[]{DataSource.class},
                (proxy, method, arguments) -> DriverManager.getConnection(url, user, password));
    }

    @Override
    public Database newDatabase() {
        String name = "reservation_" + UUID.randomUUID().toString().replace("-", "");
        execute("CREATE DATABASE " + name);
        created.add(name);
        return new Database(server + name, user, password, dataSource(server + name));
    }

    private void dropAll() {
        created.forEach(
                name -> execute("DROP DATABASE " + name + (server.contains("postgres") ? " WITH (FORCE)" : "")));
    }

    private void execute(String sql) {
        try (Connection connection = dataSource().getConnection(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("Could not " + sql + " at " + url(), e);
        }
    }

    @Override
    public void kill() {
        throw notForBreaking();
    }

    @Override
    public void restart() {
        throw notForBreaking();
    }

    @Override
    public void freeze() {
        throw notForBreaking();
    }

    @Override
    public void thaw() {
        throw notForBreaking();
    }

    private static IllegalStateException notForBreaking() {
        return new IllegalStateException("This server is not for breaking: start() one of your own");
    }

    /** Does nothing: others need the server. */
    @Override
    public void close() {}
}
