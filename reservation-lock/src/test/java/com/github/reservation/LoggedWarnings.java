// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Keeps what the library warns of until it is closed; not the losses, because tests before may have left locks behind. */
public final class LoggedWarnings extends Handler implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("com.github.reservation");

    private final List<String> texts = new CopyOnWriteArrayList<>();

    private final List<Throwable> causes = new CopyOnWriteArrayList<>();

    private final Level least;

    public LoggedWarnings() {
        this(Level.WARNING);
    }

    private LoggedWarnings(Level least) {
        this.least = least;
        LOGGER.addHandler(this);
    }

    /** Returns one that keeps what is logged at level INFO, too. */
    public static LoggedWarnings andNotes() {
        return new LoggedWarnings(Level.INFO);
    }

    public List<String> texts() {
        return texts;
    }

    /** Returns the exceptions that were logged with them, each with its stack trace. */
    public List<Throwable> causes() {
        return causes;
    }

    @Override
    public void publish(LogRecord logged) {
        String text = new SimpleFormatter().formatMessage(logged);
        if (logged.getLevel().intValue() >= least.intValue() && !text.contains("was lost while it was held")) {
            texts.add(text);
            if (logged.getThrown() != null) {
                causes.add(logged.getThrown());
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
    }
}
