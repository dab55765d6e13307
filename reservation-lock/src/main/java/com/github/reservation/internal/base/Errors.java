// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

/** What code of the user may throw, which can be anything. */
public final class Errors {

    private Errors() {}

    /** Throws an error of the JVM itself, such as a lack of memory. A stack overflow is an error of the code that ran. */
    public static void throwIfOfTheJvm(Throwable e) {
        if (isOfTheJvm(e)) {
            throw (VirtualMachineError) e;
        }
    }

    /** Returns whether it is such an error. */
    public static boolean isOfTheJvm(Throwable e) {
        return e instanceof VirtualMachineError && !(e instanceof StackOverflowError);
    }

    /** Returns an exception to throw; throws an error. */
    public static Exception asException(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return (Exception) e;
    }
}
