// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.github.reservation.LostReservation;
import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.LockOrders;
import com.hazelcast.core.HazelcastInstance;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** A node in a JVM of its own, with a client of the cluster. It executes one command a line, see {@code obey}. */
final class ClientProcess implements AutoCloseable {

    static final String DOMAIN = "orders";
    static final String ID = LockOrders.NAME;

    private final ChildJvm jvm;

    /** Starts it and waits until it is connected. */
    ClientProcess(int port, Duration leaseTime) {
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of(
                "-classpath",
                System.getProperty("java.class.path"),
                ClientProcess.class.getName(),
                Integer.toString(port),
                Long.toString(leaseTime.toMillis())));
        this.jvm = new ChildJvm(ChildJvm.newDirectory(), arguments);
        if (!jvm.answer().equals("ready")) {
            throw new IllegalStateException("Not ready: " + jvm.log());
        }
    }

    /** Returns the identifiers that it locks when it is told to lock them all. */
    static List<String> allKeys() {
        return IntStream.range(0, 40).mapToObj(i -> "key-" + i).toList();
    }

    /** Tells it one of the orders below, and returns its answer. */
    String does(String order) {
        return jvm.does(order);
    }

    void starts(String order) {
        jvm.starts(order);
    }

    String answer() {
        return jvm.answer();
    }

    void kill() {
        jvm.kill();
    }

    void freeze() {
        jvm.freeze();
    }

    void thaw() {
        jvm.thaw();
    }

    @Override
    public void close() {
        jvm.close();
    }

    public static void main(String[] args) throws Exception {
        HazelcastInstance client = TestInstances.client(Integer.parseInt(args[0]));
        ReservationManager manager = ReservationManager.hazelcast(client)
                .domain(DOMAIN)
                .leaseTime(Duration.ofMillis(Long.parseLong(args[1])))
                .build();
        LinkedBlockingQueue<LostReservation> losses = new LinkedBlockingQueue<>();
        manager.onLost(losses::add);
        Reservation reservation = manager.getReservation(ID);
        LockOrders locks = new LockOrders(manager);
        System.out.println("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            System.out.println(order.equals("lock all") ? lockAll(manager) : obey(order, reservation, losses, locks));
        }
        Runtime.getRuntime().halt(0);
    }

    private static String lockAll(ReservationManager manager) {
        allKeys().forEach(key -> manager.getReservation(key).lock());
        return "locked";
    }

    private static String obey(
            String order, Reservation reservation, LinkedBlockingQueue<LostReservation> losses, LockOrders locks)
            throws IOException {
        try {
            return switch (order) {
                case "lock" -> {
                    reservation.lock();
                    yield "locked";
                }
                case "try" -> Boolean.toString(reservation.tryLock());
                case "held" -> Boolean.toString(reservation.isHeldByCurrentThread());
                case "remaining" -> Long.toString(reservation.getRemainingLeaseTime().toMillis());
                case "renew" -> Boolean.toString(reservation.renew());
                case "told" -> String.valueOf(losses.poll(10, TimeUnit.SECONDS).reason());
                case "unlock" -> {
                    reservation.unlock();
                    yield "unlocked";
                }
                case "force" -> {
                    reservation.forceUnlock();
                    yield "forced";
                }
                default -> locks.answer(order);
            };
        } catch (RuntimeException | InterruptedException e) {
            return e.getClass().getSimpleName();
        }
    }
}
