// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.browser;

import com.github.reservation.shop.PickupStore;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** Starts the whole shop, with holds and counts of a few seconds, and hands the test a {@link Chromium}. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = PickupStore.class, webEnvironment = WebEnvironment.RANDOM_PORT, properties = {
        "spring.datasource.url=jdbc:h2:mem:browser;DB_CLOSE_DELAY=-1",
        "reservation.expiration.interval=200ms",
        "shop.hold=5s",
        "shop.count.takes=3s",
        "shop.count.slow-lease=500ms",
        "shop.operator-password=operator"
})
@ExtendWith(Chromium.Extension.class)
@interface ShopInABrowser {}
