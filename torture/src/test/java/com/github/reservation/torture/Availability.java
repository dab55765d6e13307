// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Says which stores cannot be started here. */
final class Availability {

    private Availability() {}

    /** Returns why there is no such store, unless there is. */
    static Optional<String> of(String store) {
        Path servers = Path.of(System.getProperty("servers", "target/servers"));
        return store.equals("mysql") && !Files.exists(servers.resolve("mysql"))
                ? Optional
                        .of("there is no MySQL; .ci/unpack sid mysql-server-core reservation-lock/target/servers/mysql"
                                + " gets one on a Debian")
                : Optional.empty();
    }
}
