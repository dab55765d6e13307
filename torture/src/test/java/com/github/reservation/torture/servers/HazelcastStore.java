// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.servers;

import static com.github.reservation.torture.nemesis.FaultKind.between;

import com.github.reservation.contract.Ports;
import com.github.reservation.torture.nemesis.Fault;
import com.github.reservation.torture.nemesis.FaultKind;
import com.github.reservation.torture.wire.Link;
import com.github.reservation.torture.wire.Proxy;
import com.github.reservation.torture.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A cluster of three members, and at times a fourth one, each in a process of its own. Everything that members say to each other, or to
 * clients, goes through proxies, which know by the port who comes: each pair of them has a link of its own.
 */
public final class HazelcastStore implements Store {

    private static final int SIZE = 3;
    private static final int FOURTH = 3;
    private static final int SLOTS = 4;

    /** From how many ports each member and each client comes. */
    private static final int RANGE = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** Others rarely come from there. */
    private final int outbound = ThreadLocalRandom.current().nextInt(200, 290) * RANGE;

    private final int workers;
    private final List<List<Link>> toMembers;
    private final List<List<Link>> toClients;
    private final List<HazelcastMember.Ports> ports = new ArrayList<>();
    private final List<Proxy> proxies = new ArrayList<>();
    private final HazelcastMember[] members = new HazelcastMember[SLOTS];

    HazelcastStore(int workers) {
        this.workers = workers;
        toMembers = links(SLOTS);
        toClients = links(workers + 1);
        for (int slot = 0; slot < SLOTS; slot++) {
            int to = slot;
            ports.add(new HazelcastMember.Ports(
                    entrance(port -> toMembers.get(number(port, 0, SLOTS)).get(to)),
                    entrance(port -> toClients.get(number(port, SLOTS, workers + 1)).get(to)),
                    Ports.free(), range(slot)));
        }
        IntStream.range(0, SIZE).forEach(this::start);
        awaitSafe(SIZE);
    }

    private static List<List<Link>> links(int from) {
        return IntStream.range(0, from)
                .mapToObj(i -> Stream.generate(Link::new).limit(SLOTS).toList())
                .toList();
    }

    private HazelcastMember.Entrance entrance(IntFunction<Link> linkOf) {
        int port = Ports.free();
        Proxy proxy = new Proxy(port, linkOf);
        proxies.add(proxy);
        return new HazelcastMember.Entrance(port, proxy.port());
    }

    /** Returns who comes from a port. */
    private int number(int port, int first, int count) {
        int number = (port - outbound) / RANGE - first;
        if (number < 0 || number >= count) {
            throw new IllegalStateException("Nobody should come from port " + port);
        }
        return number;
    }

    private String range(int number) {
        int first = outbound + number * RANGE;
        return first + "-" + (first + RANGE - 1);
    }

    private void start(int slot) {
        members[slot] = new HazelcastMember(
                ports.get(slot),
                ports.subList(0, SIZE).stream().map(port -> port.members().proxy()).toList());
    }

    private void kill(int slot) {
        if (members[slot] != null) {
            members[slot].close();
            members[slot] = null;
        }
    }

    private void awaitSafe(int size) {
        long start = System.nanoTime();
        while (!running().allMatch(member -> member.isSafe(size))) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "The cluster is not whole: " + running().map(HazelcastMember::report).toList());
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Stream<HazelcastMember> running() {
        return Stream.of(members).filter(member -> member != null);
    }

    @Override
    public Access.Cluster access(int worker) {
        return new Access.Cluster(
                HazelcastMember.CLUSTER,
                ports.subList(0, SIZE).stream().map(port -> port.clients().proxy()).toList(),
                range(SLOTS + worker));
    }

    /** Returns how to connect past all faults of the workers, to audit. */
    public Access.Cluster direct() {
        return access(workers);
    }

    @Override
    public Wire wire(int worker) {
        return Wire.of(toClients.get(worker));
    }

    /** All of them have the same victim: with one backup, the cluster does not promise to survive two at once. */
    @Override
    public List<FaultKind> faults() {
        return List.of(
                new FaultKind("member-kill", 3, random -> {
                    int slot = random.nextInt(SIZE);
                    return cluster(between(random, 0, 4000), () -> kill(slot), () -> replace(slot))
                            .saying("member", slot);
                }),
                new FaultKind("member-pause", 3, random -> {
                    int slot = random.nextInt(SIZE);
                    // Sometimes longer than the others wait for it.
                    return cluster(between(random, 500, random.nextInt(4) == 0 ? 12_000 : 5_000),
                            () -> members[slot].freeze(), () -> members[slot].thaw())
                            .saying("member", slot);
                }),
                new FaultKind("member-add", 1,
                        random -> cluster(between(random, 0, 4000), this::addFourth, () -> kill(FOURTH))),
                new FaultKind("split", 2, this::split));
    }

    private Fault cluster(Duration length, Fault.Step strike, Fault.Step heal) {
        return Fault.of("cluster", length, strike, () -> {
            heal.run();
            awaitSafe(SIZE);
        });
    }

    private void replace(int slot) {
        kill(slot);
        start(slot);
    }

    private void addFourth() {
        start(FOURTH);
        awaitSafe(SIZE + 1);
    }

    /** Cuts one member off. Each worker sees it alone, or the others, or both sides. */
    private Fault split(RandomGenerator random) {
        int lonely = random.nextInt(SIZE);
        boolean silent = random.nextBoolean();
        List<Link> cut = new ArrayList<>();
        for (int slot = 0; slot < SIZE; slot++) {
            if (slot != lonely) {
                cut.add(toMembers.get(slot).get(lonely));
                cut.add(toMembers.get(lonely).get(slot));
            }
        }
        StringBuilder sides = new StringBuilder();
        for (int worker = 0; worker < workers; worker++) {
            List<Link> links = toClients.get(worker);
            switch (random.nextInt(3)) {
                case 0 -> {
                    IntStream.range(0, SIZE).filter(slot -> slot != lonely).mapToObj(links::get).forEach(cut::add);
                    sides.append('-');
                }
                case 1 -> {
                    cut.add(links.get(lonely));
                    sides.append('+');
                }
                default -> sides.append('=');
            }
        }
        Wire wire = Wire.of(cut);
        return cluster(between(random, 1000, 15_000), () -> {
            if (silent) {
                wire.stall();
            } else {
                wire.refuse();
                wire.reset();
            }
        }, wire::heal).saying("member", lonely).saying("silent", silent).saying("sides", sides);
    }

    @Override
    public void close() {
        proxies.forEach(Proxy::close);
        IntStream.range(0, SLOTS).forEach(this::kill);
    }
}
