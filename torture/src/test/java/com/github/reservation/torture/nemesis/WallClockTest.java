// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.reservation.contract.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wall clock of another JVM jumps, and nothing else does. */
class WallClockTest {

    @Test
    void theWallClockJumpsWhileTheProcessRuns_andTimedWaitsTakeTheirTime(@TempDir Path directory) {
        Optional<WallClock> clock = WallClock.in(directory);
        assumeThat(clock).as(WallClock.whyNot()).isPresent();
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of("-classpath", System.getProperty("java.class.path"), Watch.class.getName()));

        try (ChildJvm jvm = new ChildJvm(ChildJvm.newDirectory(), clock.orElseThrow().command(), arguments)) {
            assertThat(wrongBy(jvm)).isLessThan(Duration.ofMinutes(1));
            clock.orElseThrow().set(3600);
            assertThat(wrongBy(jvm)).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
            clock.orElseThrow().set(-3600);
            assertThat(wrongBy(jvm)).isBetween(Duration.ofMinutes(-61), Duration.ofMinutes(-59));
            clock.orElseThrow().set(0);
            assertThat(wrongBy(jvm)).isLessThan(Duration.ofMinutes(1));
        }
    }

    /** Returns how much the clock of the JVM is fast, while a second is two tenths of one for neither of them. */
    private static Duration wrongBy(ChildJvm jvm) {
        long start = System.nanoTime();
        String[] answer = jvm.does("look").split(" ");
        assertThat(Long.parseLong(answer[1])).as("ms that it waited by its own monotonic clock").isBetween(200L, 5000L);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        return Duration.ofMillis(Long.parseLong(answer[0]) - System.currentTimeMillis());
    }

    /** Says what time it is, and how long a wait of 0.2 s takes. */
    static final class Watch {

        private Watch() {}

        public static void main(String[] args) throws InterruptedException {
            Scanner orders = new Scanner(System.in);
            while (orders.hasNextLine()) {
                orders.nextLine();
                long start = System.nanoTime();
                synchronized (Watch.class) {
                    Watch.class.wait(201);
                }
                System.out.println(System.currentTimeMillis() + " " + (System.nanoTime() - start) / 1_000_000);
            }
        }
    }
}
