// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import com.github.reservation.jdbc.server.Database;
import com.github.reservation.jdbc.server.DatabaseServer;
import com.github.reservation.torture.nemesis.Fault;
import com.github.reservation.torture.nemesis.FaultKind;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server without a standby: when it has died, it is started again on the same data. */
final class SingleServer implements Primary {

    private static final Pattern PORT = Pattern.compile("127[.]0[.]0[.]1:([0-9]+)");

    private final Product product;
    private final DatabaseServer server;
    private final Database database;

    SingleServer(Product product) {
        this.product = product;
        server = product.start();
        database = server.newDatabase();
    }

    @Override
    public Product product() {
        return product;
    }

    @Override
    public int port() {
        Matcher matcher = PORT.matcher(database.url());
        if (!matcher.find()) {
            throw new IllegalStateException("No port in " + database.url());
        }
        return Integer.parseInt(matcher.group(1));
    }

    @Override
    public Database database() {
        return database;
    }

    @Override
    public void onMove(IntConsumer listener) {
        // It stays where it is.
    }

    @Override
    public List<FaultKind> faults() {
        return List.of(
                new FaultKind("server-kill", 2,
                        random -> Fault.of("server", between(random, 0, 3000), server::kill, server::restart)),
                new FaultKind("server-freeze", 2,
                        random -> Fault.of("server", between(random, 500, 5000), server::freeze, server::thaw)));
    }

    @Override
    public void close() {
        server.close();
    }
}
