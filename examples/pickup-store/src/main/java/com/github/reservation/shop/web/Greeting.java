// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Says where the shop is. */
@Component
class Greeting {

    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

    private final Environment environment;

    Greeting(Environment environment) {
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void greet() {
        LOG.info("The shop is open: http://localhost:{}", environment.getProperty("local.server.port"));
    }
}
