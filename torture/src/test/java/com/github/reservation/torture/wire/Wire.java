// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.time.Duration;
import java.util.List;

/** The way from a worker to its store. Faults can be switched on while it is used, and last until {@link #heal()}. */
public interface Wire {

    /** A direction on the wire, as seen by the worker. */
    enum Way {
        REQUESTS, REPLIES
    }

    /** Delays everything, on each way, by the time and up to the jitter more. */
    void delay(Duration time, Duration jitter);

    /** Holds everything back, and delivers it when the wire heals: short of a timeout, TCP does that when a cable is pulled. */
    void stall();

    /** Loses what goes these ways. Connections stay open, but one that has lost something stays silent, and is reset by the healing. */
    void blackhole(Way... ways);

    /** Lets only so many bytes through, on each way of each connection. */
    void throttle(int bytesPerSecond);

    /** Refuses new connections. */
    void refuse();

    /** Resets all connections now. New ones are possible at once. */
    void reset();

    /**
     * Loses the replies to the next requests: the server gets each of them, and when it has answered, the connection is reset. So the
     * worker cannot know what became of it. Spares connections that are just being opened.
     */
    void dropReplies(int count);

    /** Returns how many replies were really lost so far. */
    long droppedReplies();

    /** Ends all faults. */
    void heal();

    /** Makes one of several, which all suffer the same. */
    static Wire of(List<? extends Wire> wires) {
        return new Wires(List.copyOf(wires));
    }
}
