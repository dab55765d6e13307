// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.demo;

import com.github.reservation.LostReservation;
import java.io.Console;
import java.util.Locale;

/** Prints what happens, one line each: milliseconds since the act began, node, thread, event. */
final class Screen {

    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final String CYAN = "36";
    private static final String PLAIN = "0";

    private final boolean colours = System.getenv().getOrDefault("NO_COLOR", "").isEmpty() && isTerminal();
    private long start = System.nanoTime();

    void title(String text) {
        System.out.println();
        System.out.println(coloured(BOLD, text));
    }

    /** Begins an act; its time starts at zero. */
    synchronized void act(String title, String text, Object... values) {
        System.out.println();
        System.out.println(coloured(BOLD, title));
        System.out.println(text.formatted(values));
        System.out.println(coloured(DIM, "      ms  node  thread  event"));
        start = System.nanoTime();
    }

    void say(String node, String text, Object... values) {
        line(node, PLAIN, text, values);
    }

    void good(String node, String text, Object... values) {
        line(node, GREEN, text, values);
    }

    void bad(String node, String text, Object... values) {
        line(node, RED, text, values);
    }

    void loss(String node, LostReservation lost) {
        bad(node, "LossListener: %s lost order %s, reason %s", name(lost), lost.identifier(), lost.reason());
    }

    synchronized void result(String text, Object... values) {
        System.out.println(coloured(BOLD, "  => " + String.format(Locale.ROOT, text, values)));
    }

    private synchronized void line(String node, String colour, String text, Object... values) {
        double millis = (System.nanoTime() - start) / 1e6;
        String thread = Thread.currentThread().isVirtual() ? "" : Thread.currentThread().getName();
        System.out.println(coloured(DIM, String.format(Locale.ROOT, "%8.1f", millis))
                + "  " + coloured(node.equals("A") ? CYAN : YELLOW, String.format("%-4s  %-6s", node, thread))
                + "  " + coloured(colour, String.format(Locale.ROOT, text, values)));
    }

    private static String name(LostReservation lost) {
        return lost.thread().getName() + (lost.thread().isAlive() ? "" : " (ended)");
    }

    private String coloured(String colour, String text) {
        return colours ? "\033[" + colour + "m" + text + "\033[0m" : text;
    }

    /** Newer JDKs have a console even when nobody looks at it, and a method that says so. */
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true; // JDK 21: a console is a terminal.
        }
    }
}
