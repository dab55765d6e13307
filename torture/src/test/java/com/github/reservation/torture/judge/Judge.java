// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.judge;

import com.github.reservation.torture.history.Journal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sees every holder of the hot keys, in a process that no fault strikes. For each key it has a row that only takes writes with a fencing
 * token that is not smaller than the last one, as a user's table would, and it knows who believes to hold the key. It has never heard of
 * the library. What it sees is in its journal.
 */
public final class Judge implements AutoCloseable {

    private final Journal journal;
    private final ServerSocket entry;
    private final Map<String, GuardedRow> rows = new ConcurrentHashMap<>();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();

    public Judge(Journal journal) {
        this.journal = journal;
        try {
            entry = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    public int port() {
        return entry.getLocalPort();
    }

    public long accepted() {
        return accepted.get();
    }

    public long rejected() {
        return rejected.get();
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket witness = entry.accept();
                witness.setTcpNoDelay(true);
                Thread.ofVirtual().start(() -> listenTo(witness));
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    private void listenTo(Socket witness) {
        try (witness;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(witness.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter out = new PrintWriter(witness.getOutputStream(), false, StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.println(answer(line.split(" ")));
                out.flush();
            }
        } catch (IOException e) {
            // The worker was killed.
        }
    }

    private String answer(String[] said) {
        GuardedRow row = rows.computeIfAbsent(said[1], key -> new GuardedRow());
        return switch (said[0]) {
            case "write" -> write(row, said[1], said[2], Long.parseLong(said[3]), Long.parseLong(said[4]));
            case "leave" -> {
                row.leave(said[2]);
                yield "ok";
            }
            case "forced" -> {
                row.expelAll();
                yield "ok";
            }
            default -> throw new IllegalArgumentException(String.join(" ", said));
        };
    }

    private String write(GuardedRow row, String key, String grant, long fence, long until) {
        GuardedRow.Outcome outcome = row.write(grant, fence, until);
        (outcome.accepted() ? accepted : rejected).incrementAndGet();
        if (!outcome.isOrdinary()) {
            journal.notes("judged", key,
                    "grant", grant,
                    "fence", fence,
                    "accepted", outcome.accepted(),
                    "trusted", outcome.trusted(),
                    "beside", outcome.beside(),
                    "last", outcome.last(),
                    "repeated", outcome.repeated());
        }
        return outcome.accepted() ? "accepted" : "rejected";
    }

    @Override
    public void close() {
        try {
            entry.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
