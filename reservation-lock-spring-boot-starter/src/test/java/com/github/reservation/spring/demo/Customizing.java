// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.LossListener;
import com.github.reservation.jdbc.JdbcReservationManagerBuilder;
import com.github.reservation.spring.ReservationManagerCustomizer;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

// @start region="customizer"
@Configuration(proxyBeanMethods = false)
public class Customizing {

    @Bean
    ReservationManagerCustomizer<JdbcReservationManagerBuilder> slowOrders() {
        return (domain, builder) -> {
            if (domain.equals("orders")) {
                builder.leaseTime(Duration.ofMinutes(10)).queryTimeout(Duration.ofSeconds(2));
            }
        };
    }

    @Bean
    LossListener stopWorkThatLostItsLock() {
        return lost -> lost.thread().interrupt();
    }
}
// @end
