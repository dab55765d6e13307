// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The application. Without a profile it keeps everything in an H2 file in the directory {@code data}. */
@SpringBootApplication
@ConfigurationPropertiesScan
@EnableScheduling
public class PickupStore {

    /** Starts the shop. */
    public static void main(String[] arguments) {
        SpringApplication.run(PickupStore.class, arguments);
    }
}
