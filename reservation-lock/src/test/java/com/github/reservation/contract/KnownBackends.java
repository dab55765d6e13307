// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Ends the run before the first test if {@code -Dbackends} names a backend that there is not, and sets how long and how often
 * tests look for an effect; JUnit finds this by itself.
 */
public final class KnownBackends implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Backend.named(System.getProperty(Backend.PROPERTY, ""));
        Awaitility.setDefaultTimeout(Duration.ofSeconds(60)); // For a machine that is slow and busy.
        Awaitility.setDefaultPollInterval(Duration.ofMillis(10)); // Not 100: a test goes on as soon as it can.
    }
}
