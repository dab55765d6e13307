// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * The backends that tests run on. {@code -Dbackends=h2,postgresql} names some of them: a test that needs another one is
 * skipped. Without it, tests run on all of them.
 */
public enum Backend {
    MEMORY, H2, POSTGRESQL, MARIADB, HAZELCAST,
    /** H2 that accepts what the library sends to Oracle. */
    ORACLE_MODE;

    static final String PROPERTY = "backends";

    /** Skips the running test unless this backend is named. Whatever starts a server calls this first. */
    public void require() {
        if (!isNamed()) { // A JVM that a test starts may be without JUnit.
            Assumptions.abort(whyNot());
        }
    }

    boolean isNamed() {
        return named(property()).contains(this);
    }

    String whyNot() {
        return "Needs the backend " + this + ", and -D" + PROPERTY + "=" + property() + " does not name it";
    }

    private static String property() {
        return System.getProperty(PROPERTY, "");
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
