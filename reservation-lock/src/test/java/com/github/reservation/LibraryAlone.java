// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/** Uses nothing but the library and the JDK, in a JVM that has nothing else: see {@link OptionalDependenciesTest}. */
public final class LibraryAlone {

    private LibraryAlone() {}

    public static void main(String[] args) {
        try {
            ReservationManager.hazelcast(null);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try (ReservationManager manager =
                ReservationManager.inMemory().domain("orders").build()) {
            Reservation reservation = manager.getReservation("42");
            reservation.lock();
            reservation.lock();
            reservation.unlock();
            reservation.unlock();
            reservation.lock();
            reservation.forceUnlock();
            try {
                reservation.unlock();
            } catch (ReservationExpiredException e) {
                manager.run("43", held -> System.out.println("OK"));
            }
        }
    }
}
