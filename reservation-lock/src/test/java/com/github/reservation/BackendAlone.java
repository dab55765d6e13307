// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.List;

/**
 * Uses a backend in a JVM that has nothing but what this backend needs, see {@link LonelyJvm}. The one in
 * memory needs the JDK alone.
 */
public final class BackendAlone {

    private BackendAlone() {}

    /** Uses the backend, and then takes each argument for a meter registry, which it is not. */
    public static void main(String[] args) {
        use(ReservationManager.inMemory());
        try {
            ReservationManager.hazelcast("no instance");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        for (String arg : args) {
            try {
                ReservationManager.inMemory().meterRegistry(arg);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** Does once whatever a manager can do, and says so. */
    public static void use(AbstractReservationManagerBuilder<?> builder) {
        try (ReservationManager manager = builder.domain("orders").build();
                Registration registration = manager.onLost(lost -> {})) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            reservation.lock();
            List<ReservationInfo> listed = manager.listReservations();
            boolean renewed = reservation.renew();
            reservation.unlock();
            reservation.unlock();
            reservation.lock();
            reservation.forceUnlock();
            try {
                reservation.unlock();
            } catch (ReservationExpiredException e) {
                manager.run("43", held -> System.out.println(
                        "listed " + listed.getFirst().identifier() + ", renewed " + renewed + ", lost "
                                + e.getIdentifier() + ", ran " + held.name()));
            }
        }
    }
}
