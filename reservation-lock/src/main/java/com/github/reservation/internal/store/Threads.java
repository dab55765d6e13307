// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.store;

/**
 * Starts every thread of this library. None of them keeps a JVM alive, and none inherits thread-locals: the caller's may hold a
 * transaction, a security context or a whole class loader.
 */
public final class Threads {

    private Threads() {}

    /** Returns a platform thread: for deadlines and listeners, which must not wait until a carrier is free. */
    public static Thread platform(String name, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(task);
    }

    /** Starts a virtual thread: for work that may be late. Nobody joins it, because it starves when all carriers are busy. */
    public static Thread startVirtual(String name, Runnable task) {
        return Thread.ofVirtual().inheritInheritableThreadLocals(false).name(name).start(task);
    }
}
