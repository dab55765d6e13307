// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import com.github.reservation.LostReservation;
import com.github.reservation.ReservationManager;
import com.github.reservation.lease.HeldLock;
import com.github.reservation.lease.LockLease;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Obeys orders about one lock, in a process of its own: one order a line, and one answer. */
public final class LockOrders {

    public static final String NAME = "42";

    private final ReservationManager manager;
    private final List<LostReservation> told = new CopyOnWriteArrayList<>();
    private HeldLock lock;

    public LockOrders(ReservationManager manager) {
        this.manager = manager;
        manager.onLost(told::add);
    }

    /** Obeys until the input ends. */
    public static void obey(ReservationManager manager) throws Exception {
        LockOrders orders = new LockOrders(manager);
        System.out.println("ready");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String order = input.readLine(); order != null; order = input.readLine()) {
            System.out.println(orders.answer(order));
        }
        Runtime.getRuntime().halt(0);
    }

    /** Obeys one order; the answer to {@code acquire} is the fencing token or -1, the execution id, and when the lease ends. */
    public String answer(String order) throws IOException, InterruptedException {
        return switch (order) {
            case "acquire" -> {
                lock = manager.acquire(NAME);
                LockLease lease = lock.lease();
                yield lock.fencingToken().orElse(-1) + " " + lease.executionId() + " " + lease.expiresAt();
            }
            case "holds" -> Boolean.toString(lock.isHeld());
            case "losses" -> {
                Awaitility.await().until(() -> !told.isEmpty());
                yield Integer.toString(told.size());
            }
            case "release" -> Boolean.toString(lock.release());
            default -> throw new IOException("Unknown order " + order);
        };
    }
}
