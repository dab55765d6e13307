// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The wall clock of one worker, which can be set wrong while it runs. Its monotonic clock stays right. */
public final class WallClock {

    private static final String LIBRARY = "usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

    private final Path library;
    private final Path offset;

    WallClock(Path library, Path directory) {
        this.library = library;
        this.offset = directory.resolve("wall-clock");
        set(0);
    }

    /** Returns a clock, if libfaketime is there to make one. */
    public static Optional<WallClock> in(Path directory) {
        Path servers = Path.of(System.getProperty("servers", "target/servers")).toAbsolutePath();
        return Stream.of(Path.of("/"), servers.resolve("faketime"))
                .map(root -> root.resolve(LIBRARY))
                .filter(Files::exists)
                .findFirst()
                .map(library -> new WallClock(library, directory));
    }

    /** Returns what to say if there is none. */
    public static String whyNot() {
        return "No clock is stepped: there is no libfaketime. On a Debian, .ci/unpack bookworm libfaketime"
                + " reservation-lock/target/servers/faketime gets it";
    }

    /** Returns the command by which the worker's {@code java} is started. */
    public List<String> command() {
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + offset,
                "FAKETIME_NO_CACHE=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                // Without it, every timed wait returns at once.
                "FAKETIME_FORCE_MONOTONIC_FIX=0");
    }

    /**
     * Returns the fault.
     *
     * @param worker the name of the one that was started by {@link #command()}
     */
    public FaultKind faultOf(String worker) {
        return new FaultKind("clock-step", 2, random -> {
            int seconds = random.nextBoolean() ? 3600 : -3600;
            return Fault.of(worker, between(random, 500, 8000), () -> set(seconds), () -> set(0))
                    .saying("seconds", seconds);
        });
    }

    void set(int seconds) {
        try {
            Path draft = offset.resolveSibling(offset.getFileName() + ".draft");
            Files.writeString(draft, (seconds < 0 ? "" : "+") + seconds + "\n");
            Files.move(draft, offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
