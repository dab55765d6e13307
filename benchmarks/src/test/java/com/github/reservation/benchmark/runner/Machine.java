// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark.runner;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Where a run took place. */
record Machine(String processor, int cores, String memory, String system, String java, double load) {

    /** Looks at this machine; the load is what others do at the moment. */
    static Machine here() throws IOException {
        return new Machine(
                line("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                String.format(Locale.ROOT, "%.0f GB",
                        Long.parseLong(line("/proc/meminfo", "MemTotal").replaceAll("\\D", "")) / 1048576.0),
                System.getProperty("os.name") + " " + System.getProperty("os.version").replaceAll("-.*", ""),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String line(String file, String name) throws IOException {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name)).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("0 unknown");
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT,
                "%s, %d cores, %s of memory, %s, %s; servers and clients on the same machine; load average before the run: %.2f",
                processor, cores, memory, system, java, load);
    }
}
