// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

/**
 * Calls code of the user, such as a listener or a meter registry, and keeps what it throws from the caller. The first failure is logged as
 * a warning, with the class. Further failures in a row are logged at level DEBUG. After a call that worked, the next failure is a warning
 * again. What the code was called with is not logged: an event may contain personal data.
 *
 * <p>This is the one rule for everything that the library calls and does not need.
 */
public final class Guard {

    private final String problem;
    private volatile boolean failing;

    private Guard(String problem) {
        this.problem = problem;
    }

    /** Guards the calls of one listener. */
    public static Guard of(Object listener) {
        return new Guard("Listener " + listener.getClass().getName() + " failed");
    }

    /** Guards calls that are logged with this text if they fail. */
    public static Guard logging(String problem) {
        return new Guard(problem);
    }

    /** Makes the call; throws nothing. */
    public void run(Runnable call) {
        assert !Clockwork.isThisThread() : "Code of the user could delay all deadlines";
        try {
            call.run();
            if (failing) {
                failing = false;
            }
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        if (failing) {
            Log.debug(problem + " again", e);
        } else {
            failing = true;
            Log.warn(problem + "; further failures in a row are logged at level DEBUG", e);
        }
    }
}
