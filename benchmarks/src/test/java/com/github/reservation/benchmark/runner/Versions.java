// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Versions of what is on the class path, from the names of the files. */
final class Versions {

    private static final List<String> LIBRARIES = List.of("redisson", "spring-integration-jdbc",
            "spring-integration-redis", "shedlock-core", "db-scheduler", "lettuce-core", "HikariCP", "postgresql",
            "mariadb-java-client", "jmh-core");

    private Versions() {}

    /** Returns the libraries that take part, with their versions. */
    static String ofLibraries() {
        return LIBRARIES.stream().map(library -> library + " " + of(library)).collect(Collectors.joining(", "));
    }

    static String of(String artifact) {
        Matcher file = Pattern.compile("[/\\\\]" + artifact + "-([0-9][^/\\\\]*)\\.jar")
                .matcher(System.getProperty("java.class.path"));
        if (!file.find()) {
            throw new IllegalStateException("Not on the class path: " + artifact);
        }
        return file.group(1);
    }
}
