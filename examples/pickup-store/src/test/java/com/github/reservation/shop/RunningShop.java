// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;

/**
 * Starts the whole shop, once for all test classes that have this annotation: on an H2 in memory, or with
 * {@code -Dspring.profiles.active=mysql -Dshop.url=jdbc:mysql://…} on an empty database that somebody has.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = PickupStore.class, properties = {
        "spring.datasource.url=${shop.url:jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1}",
        "reservation.expiration.interval=100ms",
        "reservation.outbox.poll-interval=100ms",
        "shop.operator-password=operator",
        "shop.count.takes=1200ms",
        "shop.count.slow-lease=800ms"
})
@AutoConfigureMockMvc
public @interface RunningShop {}
