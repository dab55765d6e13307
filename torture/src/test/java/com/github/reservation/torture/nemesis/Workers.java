// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.nemesis;

/** The workers of a run, as those see them who do them harm. They are numbered from 0. */
public interface Workers {

    int size();

    /** Returns the name of its journal. */
    String name(int worker);

    /** Kills its process with SIGKILL. Does nothing if it is dead. */
    void kill(int worker);

    /** Starts a process in place of the one that was killed, and returns when it works. Does nothing if it is alive. */
    void restart(int worker);

    void freeze(int worker);

    /** Lets it go on. Does nothing if it was not frozen, or is dead. */
    void thaw(int worker);

    /** Sends a line to its process. */
    void order(int worker, String line);
}
