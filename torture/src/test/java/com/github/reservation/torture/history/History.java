// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.history;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What all processes of a run did, in the order of its beginnings. */
public record History(List<Call> calls) {

    public History {
        calls = calls.stream().sorted(Comparator.comparingLong(Call::start)).toList();
    }

    /** Reads the journals in a directory, each named after its process: {@code <worker>.log}. */
    public static History in(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            List<Call> calls = new ArrayList<>();
            for (Path file : files.filter(path -> path.toString().endsWith(".log")).sorted().toList()) {
                calls.addAll(read(file));
            }
            return new History(calls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Call> read(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return parse(file.getFileName().toString().replaceFirst("[.]log$", ""),
                    isWhole(file) ? lines : withoutLast(lines));
        }
    }

    /** SIGKILL may come in the middle of a line. */
    private static boolean isWhole(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            if (bytes.length() > 0) {
                bytes.seek(bytes.length() - 1);
            }
            return bytes.length() == 0 || bytes.read() == '\n';
        }
    }

    private static Stream<String> withoutLast(Stream<String> lines) {
        List<String> all = lines.toList();
        return all.subList(0, all.size() - 1).stream();
    }

    /** Reads the lines of one journal. */
    public static List<Call> parse(String worker, Stream<String> lines) {
        List<Call> calls = new ArrayList<>();
        Map<String, Call> underWay = new HashMap<>();
        Map<String, String> known = new HashMap<>();
        lines.map(line -> split(line, known)).forEach(line -> {
            long at = Long.parseLong(line[1]);
            String thread = line[2];
            switch (line[0]) {
                case ">" -> {
                    // The thread has given the last call up: it never learned what became of it.
                    Call unknown = underWay.put(thread, new Call(
                            worker, thread, at, Call.NEVER, line[3], line[4], Call.UNKNOWN, facts(line, 5)));
                    if (unknown != null) {
                        calls.add(unknown);
                    }
                }
                case "<" -> calls.add(returned(underWay.remove(thread), at, line[3], facts(line, 4)));
                case "." -> calls.add(new Call(worker, thread, at, at, line[3], line[4], "", facts(line, 5)));
                default -> throw new IllegalStateException("Not a line of a journal: " + String.join(" ", line));
            }
        });
        calls.addAll(underWay.values());
        return calls;
    }

    /** Splits a line. A million lines share their words, but times and facts: each word is kept once. */
    private static String[] split(String line, Map<String, String> known) {
        String[] words = line.split(" ");
        for (int i = 2; i < words.length; i++) {
            if (words[i].indexOf('=') < 0) {
                words[i] = known.computeIfAbsent(words[i], Function.identity());
            }
        }
        return words;
    }

    private static Call returned(Call call, long at, String result, Map<String, String> facts) {
        Map<String, String> all = new LinkedHashMap<>(call.facts());
        all.putAll(facts);
        return new Call(call.worker(), call.thread(), call.start(), at, call.what(), call.key(), result, all);
    }

    private static Map<String, String> facts(String[] line, int from) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (int i = from; i < line.length; i++) {
            int equals = line[i].indexOf('=');
            facts.put(line[i].substring(0, equals).intern(), line[i].substring(equals + 1));
        }
        return facts;
    }

    /** Returns the calls of these kinds. */
    public List<Call> of(String... whats) {
        List<String> wanted = List.of(whats);
        return calls.stream().filter(call -> wanted.contains(call.what())).toList();
    }

    /** Returns when each process noted something for the last time. */
    public Map<String, Long> lastSeen() {
        return calls.stream().collect(Collectors.toMap(
                Call::worker, call -> call.end() == Call.NEVER ? call.start() : call.end(), Math::max));
    }

    /** Returns the calls of these kinds, by key. */
    public Map<String, List<Call>> byKey(String... whats) {
        return of(whats).stream().collect(Collectors.groupingBy(Call::key));
    }
}
