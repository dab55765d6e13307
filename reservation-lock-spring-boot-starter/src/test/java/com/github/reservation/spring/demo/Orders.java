// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.Reservation;
import com.github.reservation.spring.ReservationManagers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

@Service
public class Orders {

    final List<String> shipped = new ArrayList<>();

    // @start region="managers"
    private final ReservationManagers managers;

    public Orders(ReservationManagers managers) {
        this.managers = managers;
    }

    public void ship(String orderId) {
        managers.get("orders").run(orderId, held -> hand(orderId));
    }

    public boolean tryToShip(String orderId) throws InterruptedException {
        Reservation order = managers.get("orders").getReservation(orderId);
        if (!order.tryLock(Duration.ofSeconds(2), Duration.ofMinutes(1))) {
            return false;
        }
        try {
            hand(orderId);
            return true;
        } finally {
            order.unlock();
        }
    }
    // @end

    private void hand(String orderId) {
        shipped.add(orderId);
    }
}
