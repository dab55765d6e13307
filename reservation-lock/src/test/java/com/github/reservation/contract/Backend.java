// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * The backends that tests run on. {@code -Dbackends=h2,postgresql} names some of them: a test that needs another one is
 * skipped. Without it, tests run on all of them.
 */
public enum Backend {
    MEMORY, H2, POSTGRESQL, MARIADB, MYSQL, HAZELCAST,
    /** H2 that accepts what the library sends to Oracle. */
    ORACLE_MODE;

    static final String PROPERTY = "backends";
    private static final Set<Backend> SERVERS = EnumSet.of(POSTGRESQL, MARIADB, MYSQL);

    /** Skips the running test if it cannot have this backend. Whatever starts a server calls this first. */
    public void require() {
        skipIf(whyNot());
    }

    /** Skips the running test if it cannot have a server of its own that it may break. */
    public void requireOwnServer() {
        skipIf(whyNoOwnServer());
    }

    private static void skipIf(Optional<String> reason) {
        if (reason.isPresent()) { // A JVM that a test starts may be without JUnit.
            Assumptions.abort(reason.get());
        }
    }

    /** Returns why tests cannot run on this backend, unless they can. */
    Optional<String> whyNot() {
        if (!named(System.getProperty(PROPERTY, "")).contains(this)) {
            return Optional.of("Needs the backend " + this + ", and -D" + PROPERTY + "="
                    + System.getProperty(PROPERTY) + " does not name it");
        }
        if (!SERVERS.contains(this) || url() != null) {
            return Optional.empty();
        }
        return whyNotOn(System.getProperty("os.name"), System.getProperty("os.arch"))
                .or(() -> this == MYSQL
                        ? whyNotIn(Path.of(System.getProperty("servers", "target/servers")))
                        : Optional.empty());
    }

    /** MySQL is not to be had as a Maven artifact. */
    static Optional<String> whyNotIn(Path servers) {
        return Files.exists(servers.resolve("mysql"))
                ? Optional.empty()
                : Optional.of("There is no MySQL in " + servers + ". On a Debian, .ci/unpack sid mysql-server-core"
                        + " reservation-lock/target/servers/mysql gets one; or name one that runs: -Dmysql.url=jdbc:mysql://…");
    }

    Optional<String> whyNotOn(String system, String architecture) {
        return system.equals("Linux") && architecture.equals("amd64")
                ? Optional.empty()
                : Optional.of("The server that tests start is for Linux on x86-64, and this is " + system + " on "
                        + architecture + ". Name one that runs: -D" + this + ".url=jdbc:" + this + "://…");
    }

    /** Returns why tests cannot have a server of this kind that they may break, unless they can. */
    Optional<String> whyNoOwnServer() {
        return whyNot().or(() -> Optional.ofNullable(url())
                .map(url -> "Needs a server that it may break, and -D" + this + ".url names one that it may not"));
    }

    private String url() {
        return System.getProperty(this + ".url");
    }

    /**
     * Returns the backends in a comma-separated list, or all of them if the list is empty.
     *
     * @throws IllegalArgumentException if there is no backend of a name in the list
     */
    static Set<Backend> named(String list) {
        return list.isBlank()
                ? EnumSet.allOf(Backend.class)
                : Arrays.stream(list.split(",")).map(Backend::of)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Backend.class)));
    }

    private static Backend of(String name) {
        return Arrays.stream(values()).filter(backend -> backend.toString().equals(name.strip())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-D" + PROPERTY + " names \"" + name
                        + "\". The backends are "
                        + Arrays.stream(values()).map(Backend::toString).collect(Collectors.joining(", ")) + "."));
    }

    /** Returns the name as {@code -Dbackends} takes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
