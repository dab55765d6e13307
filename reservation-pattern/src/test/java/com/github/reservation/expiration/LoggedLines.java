// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Keeps the lines of the library's log that contain a text, until it is closed. Only those of the thread that made it. */
final class LoggedLines extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("com.github.reservation");

    private final String text;
    private final long thread = Thread.currentThread().threadId();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LoggedLines(String text) {
        this.text = text;
        LOGGER.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord logged) {
        if (logged.getLongThreadID() == thread && logged.getMessage().contains(text)) {
            lines.add(logged.getMessage());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
