// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * How soon locks are granted again after faults of a kind. If the victim was a worker, what counts are its own grants, else those of all.
 *
 * @param faults how many there were
 * @param median from the end of a fault to the next grant, in milliseconds
 * @param most the longest such time
 * @param before in which share of the tenths of a second somebody was granted a lock in the two seconds before
 * @param during the same share while the fault lasted
 * @param after the same share in the two seconds after
 */
public record Recovery(String kind, int faults, long median, long most, double before, double during, double after) {

    private static final long WINDOW = TimeUnit.SECONDS.toNanos(2);
    private static final long BUCKET = TimeUnit.MILLISECONDS.toNanos(100);

    /** Returns how it was after each kind of fault, in the order of their names. */
    public static List<Recovery> of(History history) {
        List<Call> granted = history.of("acquire").stream().filter(call -> call.has("granted")).toList();
        Map<String, long[]> ends = granted.stream().collect(Collectors.groupingBy(
                call -> placeOf(call.worker()), TreeMap::new,
                Collectors.collectingAndThen(Collectors.toList(), Recovery::ends)));
        long[] all = ends(granted);
        Map<String, List<Call>> byKind = Faults.in(history).all().stream()
                .filter(fault -> fault.end() != Call.NEVER)
                .collect(Collectors.groupingBy(Call::key, TreeMap::new, Collectors.toList()));
        return byKind.entrySet().stream()
                .map(entry -> after(entry.getKey(), entry.getValue(), ends, all))
                .toList();
    }

    /** Returns the name of the place of a worker, which stays when its process is replaced. */
    private static String placeOf(String worker) {
        return worker.replaceFirst("[.][0-9]+$", "");
    }

    private static long[] ends(List<Call> calls) {
        return calls.stream().mapToLong(Call::end).sorted().toArray();
    }

    private static Recovery after(String kind, List<Call> faults, Map<String, long[]> ends, long[] all) {
        List<Long> times = new ArrayList<>();
        double[] shares = new double[3];
        for (Call fault : faults) {
            long[] grants = ends.getOrDefault(fault.text("victim"), all);
            int next = firstFrom(grants, fault.end());
            if (next < grants.length) { // Else the run was over.
                times.add(TimeUnit.NANOSECONDS.toMillis(grants[next] - fault.end()));
            }
            shares[0] += share(grants, fault.start() - WINDOW, fault.start());
            shares[1] += share(grants, fault.start(), fault.end());
            shares[2] += share(grants, fault.end(), fault.end() + WINDOW);
        }
        times.sort(null);
        return new Recovery(
                kind,
                faults.size(),
                times.isEmpty() ? 0 : times.get(times.size() / 2),
                times.isEmpty() ? 0 : times.getLast(),
                shares[0] / faults.size(),
                shares[1] / faults.size(),
                shares[2] / faults.size());
    }

    private static int firstFrom(long[] sorted, long time) {
        int index = Arrays.binarySearch(sorted, time);
        return index >= 0 ? index : -index - 1;
    }

    private static double share(long[] grants, long from, long until) {
        long buckets = Math.max(1, (until - from) / BUCKET);
        long busy = 0;
        for (long bucket = 0; bucket < buckets; bucket++) {
            long start = from + bucket * BUCKET;
            if (firstFrom(grants, start) < firstFrom(grants, start + BUCKET)) {
                busy++;
            }
        }
        return (double) busy / buckets;
    }
}
