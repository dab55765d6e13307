// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A database on a shared server that no other test uses until it is closed. Other tests may have used it before, because it
 * takes long to create one.
 */
public final class LentDatabase implements AutoCloseable {

    private static final Map<DatabaseServer, Queue<Database>> IDLE = new ConcurrentHashMap<>();

    private final Queue<Database> idle;
    private final Database database;

    public LentDatabase(DatabaseServer server) {
        idle = IDLE.computeIfAbsent(server, key -> new ConcurrentLinkedQueue<>());
        Database used = idle.poll();
        database = used == null ? server.newDatabase() : used;
    }

    public Database database() {
        return database;
    }

    /** Gives the database back; what is in it stays there. */
    @Override
    public void close() {
        idle.add(database);
    }
}
