// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture;

import com.github.reservation.contract.ChildJvm;
import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.nemesis.WallClock;
import com.github.reservation.torture.nemesis.Workers;
import com.github.reservation.torture.worker.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** The processes of the workers. A place in the fleet keeps its name; each process in it has a number behind the name. */
final class Fleet implements Workers, AutoCloseable {

    /** To stop can take a minute, and what drains goes on as long as it gets less. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path directory;
    private final Map<String, String> properties;
    private final IntFunction<String> access;
    private final long seed;
    private final Optional<WallClock> clock;
    private final List<Place> places = new ArrayList<>();

    private static final class Place {

        private ChildJvm jvm;
        private int processes;
        private boolean alive;
    }

    /**
     * Describes the workers; starts none.
     *
     * @param directory where their journals go
     * @param properties what all of them need to know
     * @param access how each of them connects
     */
    Fleet(int size, Path directory, Map<String, String> properties, IntFunction<String> access, long seed) {
        this.directory = directory;
        this.properties = properties;
        this.access = access;
        this.seed = seed;
        this.clock = WallClock.in(directory);
        for (int i = 0; i < size; i++) {
            places.add(new Place());
        }
    }

    /** Returns how the wall clock of the last worker is set wrong, if it can be. */
    Optional<FaultKind> clockStep() {
        return clock.map(wall -> wall.faultOf(name(size() - 1)));
    }

    void start() {
        for (int worker = 0; worker < size(); worker++) {
            restart(worker);
        }
    }

    @Override
    public int size() {
        return places.size();
    }

    @Override
    public String name(int worker) {
        return "w" + worker;
    }

    @Override
    public void kill(int worker) {
        Place place = places.get(worker);
        if (place.alive) {
            place.alive = false;
            place.jvm.kill();
            place.jvm.close();
        }
    }

    @Override
    public void restart(int worker) {
        Place place = places.get(worker);
        if (place.alive) {
            return;
        }
        String name = name(worker) + "." + ++place.processes;
        List<String> arguments = new ArrayList<>(List.of("-Xmx256m", "-XX:+UseSerialGC"));
        properties.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        arguments.addAll(List.of(
                "-Dworker=" + name,
                "-Djournal=" + directory.resolve(name + ".log"),
                "-Daccess=" + access.apply(worker),
                "-Dseed=" + (seed * 1_000 + worker * 100 + place.processes),
                "-classpath", System.getProperty("java.class.path"),
                Worker.class.getName()));
        List<String> by = worker == size() - 1 ? clock.map(WallClock::command).orElse(List.of()) : List.of();
        place.jvm = new ChildJvm(ChildJvm.newDirectory(), by, arguments);
        place.alive = true;
        if (!answer(place).equals("ready")) {
            throw new IllegalStateException("Worker " + name + " is not ready: " + place.jvm.log());
        }
    }

    @Override
    public void freeze(int worker) {
        if (places.get(worker).alive) {
            places.get(worker).jvm.freeze();
        }
    }

    @Override
    public void thaw(int worker) {
        if (places.get(worker).alive) {
            places.get(worker).jvm.thaw();
        }
    }

    @Override
    public void order(int worker, String line) {
        if (places.get(worker).alive) {
            places.get(worker).jvm.starts(line);
            answer(places.get(worker));
        }
    }

    /** A worker that has died by itself answers no more. */
    private static String answer(Place place) {
        try {
            return CompletableFuture.supplyAsync(place.jvm::answer, Thread::startVirtualThread)
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("A worker does not answer: " + place.jvm.log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Lets all of them end their work at the same time, and say what is left. */
    void stop() {
        List<Place> alive = places.stream().filter(place -> place.alive).toList();
        alive.forEach(place -> place.jvm.starts("stop"));
        alive.forEach(Fleet::answer);
    }

    @Override
    public void close() {
        for (int worker = 0; worker < size(); worker++) {
            kill(worker);
        }
    }
}
