// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import org.jetbrains.lincheck.Lincheck;

/** Plays a scene in which two things happen at the same time, in every order of their steps. */
public final class Interleaving {

    /** A scene: what is there before is set up in its constructor. No AssertJ: Lincheck would step through it, too. */
    public interface Scene {

        /** Happens on one thread. */
        void here();

        /** Happens on another thread at the same time. */
        void there();

        /** Returns whether all is well after both have happened. */
        boolean endsWell();
    }

    /** Makes a new scene for each order. */
    public interface Stage {
        Scene set();
    }

    private static final int ORDERS = 80;

    /** Lincheck takes what only a lambda knows for the thread's own, and would not interrupt a step on it. */
    private static volatile Scene onStage;

    private Interleaving() {}

    public static void check(Stage stage) {
        Lincheck.runConcurrentTest(ORDERS, () -> {
            Scene scene = stage.set();
            onStage = scene;
            Thread here = new Thread(scene::here);
            Thread there = new Thread(scene::there);
            here.start();
            there.start();
            join(here);
            join(there);
            if (!scene.endsWell()) {
                throw new AssertionError("The scene did not end well");
            }
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
