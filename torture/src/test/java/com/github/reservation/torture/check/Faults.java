// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The faults of a run, as the nemesis has noted them.
 *
 * @param all each with its kind as key, and its victim
 */
public record Faults(List<Call> all) {

    /** It takes a moment until there are new connections. A pause between two faults that is as short is none. */
    private static final long MOMENT = TimeUnit.SECONDS.toNanos(2);

    private static final Set<String> SERVERS = Set.of("server", "cluster");

    public static Faults in(History history) {
        return new Faults(history.of("fault"));
    }

    /** Returns the faults of a kind. */
    public List<Call> of(String kind) {
        return all.stream().filter(fault -> fault.key().equals(kind)).toList();
    }

    /** Returns whether anything was broken at some time between the two. */
    public boolean anyBetween(long from, long until) {
        return all.stream().anyMatch(fault -> fault.start() <= until && fault.end() >= from);
    }

    /** Returns for how many nanoseconds a fault of this kind concerned the worker between the two times. */
    public long lasted(String kind, String worker, long from, long until) {
        return all.stream()
                .filter(fault -> fault.key().equals(kind) && concerns(fault, worker))
                .mapToLong(fault -> Math.max(0, Math.min(fault.end(), until) - Math.max(fault.start(), from)))
                .sum();
    }

    /** Returns for how long without a break a worker may have been disturbed in a time: by faults of its own, or of the servers. */
    public long longestDisturbance(String worker, long from, long to) {
        long longest = 0;
        long begin = from;
        long end = from;
        for (Call fault : all) { // In the order of their starts.
            if ((concerns(fault, worker) || isOfServers(fault)) && fault.start() < to && over(fault) > from) {
                if (fault.start() > end) {
                    begin = fault.start();
                }
                end = Math.max(end, over(fault));
                longest = Math.max(longest, Math.min(end, to) - begin);
            }
        }
        return longest;
    }

    /** Returns when a fault does no more harm: a moment after it was healed. */
    public static long over(Call fault) {
        return fault.end() == Call.NEVER ? Call.NEVER : fault.end() + MOMENT;
    }

    /** Returns whether the victim is this worker. The name of a worker is that of its place, and a number for each process that had it. */
    public static boolean concerns(Call fault, String worker) {
        String victim = fault.text("victim");
        return worker.equals(victim) || worker.startsWith(victim + ".");
    }

    /** Returns whether the fault concerns all workers. */
    public static boolean isOfServers(Call fault) {
        return SERVERS.contains(fault.text("victim"));
    }
}
