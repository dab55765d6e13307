// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import com.github.reservation.torture.history.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A history of one key, for {@code LeaseTrace.tla}: TLC looks whether the rules of the model allow it.
 *
 * <p>Acquisitions that were not granted are left out: a refusal may have any reason, and a grant that nobody got does not show. Fences
 * become the numbers from 1, in their order. Times become microseconds since the first call.
 */
public final class LeaseTrace {

    /** LeaseTrace.tla has this as Forever: numbers have 32 bits there, and it adds a lease to it. */
    private static final long LONGEST = 1_000_000_000;

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000;

    private static final Pattern CONSUMED = Pattern.compile("<<\"consumed\", ([0-9]+)>>");

    /**
     * What TLC has found.
     *
     * @param accepted whether the rules allow the history
     * @param reason the first event that fits in no way, if not
     */
    public record Verdict(boolean accepted, String reason) {}

    /** A request, a reply, or news of a loss. */
    private record Event(long time, Kind kind, int call) {

        String tla() {
            return "[time |-> %d, kind |-> \"%s\", call |-> %d]".formatted(time, kind.name().toLowerCase(), call);
        }
    }

    /** In the order that counts at the same time: a call that was answered at the time of another request may have come later. */
    private enum Kind {
        SENT, ANSWERED, TOLD
    }

    private final List<Call> calls;
    private final long origin;
    private final long slack;
    private final Map<Long, Integer> fences = new TreeMap<>();
    private final Map<Long, Long> leases = new TreeMap<>();

    private LeaseTrace(List<Call> history, long slackMillis) {
        this.calls = history.stream().filter(LeaseTrace::counts).toList();
        this.origin = calls.stream().mapToLong(Call::start).min().orElse(0);
        this.slack = slackMillis * MILLI;
        calls.stream().filter(LeaseTrace::isGrant).forEach(call -> {
            fences.put(fence(call), 0);
            leases.put(fence(call), lease(call));
        });
        int number = 1;
        for (Map.Entry<Long, Integer> fence : fences.entrySet()) {
            fence.setValue(number++);
        }
    }

    /**
     * Checks a history.
     *
     * @param history the calls of one key, in any order
     * @param slackMillis by how much the clocks of the store and of the history may differ during one lease
     */
    public static Verdict check(List<Call> history, long slackMillis) throws IOException, InterruptedException {
        return new LeaseTrace(history, slackMillis).check();
    }

    private static boolean counts(Call call) {
        return switch (call.what()) {
            case "acquire" -> isGrant(call);
            case "renew", "release", "force", "lost" -> true;
            default -> false; // Work under the lock, or questions.
        };
    }

    private static boolean isGrant(Call call) {
        return call.what().equals("acquire") && call.result().equals("granted") && isAnswered(call);
    }

    private static boolean isAnswered(Call call) {
        return call.end() != Long.MAX_VALUE;
    }

    private Verdict check() throws IOException, InterruptedException {
        List<Event> events = events();
        Path directory = Tlc.directory("history", "LeaseTrace");
        Files.writeString(directory.resolve("History.tla"), module(events));
        Files.copy(Tlc.MODELS.resolve("LeaseTrace.cfg"), directory.resolve("LeaseTrace.cfg"));
        Tlc.Result result = Tlc.check(directory, "LeaseTrace", List.of("-XX:TieredStopAtLevel=1", "-Xss16m"));
        boolean accepted = result.violated().equals("NotAccepted");
        return new Verdict(accepted, accepted ? "" : firstMisfit(events, result.output()));
    }

    private String firstMisfit(List<Event> events, String output) {
        int consumed = 0;
        for (Matcher found = CONSUMED.matcher(output); found.find();) {
            consumed = Integer.parseInt(found.group(1));
        }
        Event event = events.get(consumed);
        return event.kind() + " at " + event.time() + " µs: " + calls.get(event.call() - 1);
    }

    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if (call.what().equals("lost")) {
                events.add(new Event(micros(call.start()), Kind.TOLD, i + 1));
            } else {
                events.add(new Event(micros(call.start()), Kind.SENT, i + 1));
                if (isAnswered(call)) {
                    events.add(new Event(micros(call.end()), Kind.ANSWERED, i + 1));
                }
            }
        }
        events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::kind));
        return events;
    }

    private long micros(long nanos) {
        long micros = (nanos - origin) / MICRO;
        if (micros >= LONGEST) {
            throw new IllegalArgumentException("The history takes longer than " + LONGEST + " µs: check parts of it");
        }
        return micros;
    }

    private String module(List<Event> events) {
        StringBuilder text = new StringBuilder("---- MODULE History ----\nEXTENDS Integers\nCalls == <<\n");
        text.append(calls.stream().map(this::tla).collect(Collectors.joining(",\n")));
        text.append("\n>>\nEvents == <<\n");
        text.append(events.stream().map(Event::tla).collect(Collectors.joining(",\n")));
        return text.append("\n>>\nSlack == " + slack + "\n====\n").toString();
    }

    private String tla(Call call) {
        long lease = lease(call);
        String until = call.facts().get("until");
        return "[what |-> \"%s\", result |-> \"%s\", fence |-> %d, lease |-> %d, margin |-> %d, until |-> %d, renewed |-> %s]"
                .formatted(
                        call.what(),
                        isAnswered(call) ? call.result() : "failed",
                        call.facts().containsKey("fence") ? fences.getOrDefault(fence(call), -1) : 0,
                        lease,
                        margin(lease),
                        until == null ? 0 : micros(Long.parseLong(until)),
                        String.valueOf(Boolean.parseBoolean(call.facts().get("autoRenew"))).toUpperCase());
    }

    private static long fence(Call call) {
        return Long.parseLong(call.facts().get("fence"));
    }

    /** Returns the length of the lease in microseconds: a renewal that names none is for as long as the acquisition. */
    private long lease(Call call) {
        String lease = call.facts().get("lease");
        if (lease != null) {
            return Long.parseLong(lease) * MILLI;
        }
        return call.facts().containsKey("fence") ? leases.getOrDefault(fence(call), 0L) : 0;
    }

    /** The margin of the library, see ADR 3. */
    private static long margin(long lease) {
        return Math.min(Math.max(50 * MILLI, lease / 100), lease / 2);
    }
}
