// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.Reservation;
import com.github.reservation.ReservationManager;
import java.time.Duration;

/** The ten lines on the README's first screen. */
public final class ReadmeExample {

    private ReadmeExample() {}

    public static void main(String[] args) {
        // @start region="first-screen"
        ReservationManager orders =
                ReservationManager.inMemory().domain("orders").leaseTime(Duration.ofMinutes(2)).build();
        Reservation order = orders.getReservation("42");
        order.lock(); // waits; then order 42 is ours for two minutes at most
        try {
            System.out.println("Shipping order 42, fencing token " + order.fencingToken().getAsLong());
        } finally {
            order.unlock(); // throws if the two minutes were over before
        }
        orders.close();
        // @end
    }
}
