// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.wire;

import java.time.Duration;
import java.util.List;

/** The ways from a worker to all members of a cluster. */
record Wires(List<Wire> all) implements Wire {

    @Override
    public void delay(Duration time, Duration jitter) {
        all.forEach(wire -> wire.delay(time, jitter));
    }

    @Override
    public void stall() {
        all.forEach(Wire::stall);
    }

    @Override
    public void blackhole(Way... ways) {
        all.forEach(wire -> wire.blackhole(ways));
    }

    @Override
    public void throttle(int bytesPerSecond) {
        all.forEach(wire -> wire.throttle(bytesPerSecond));
    }

    @Override
    public void refuse() {
        all.forEach(Wire::refuse);
    }

    @Override
    public void reset() {
        all.forEach(Wire::reset);
    }

    @Override
    public void dropReplies(int count) {
        all.forEach(wire -> wire.dropReplies(count));
    }

    @Override
    public long droppedReplies() {
        return all.stream().mapToLong(Wire::droppedReplies).sum();
    }

    @Override
    public void heal() {
        all.forEach(Wire::heal);
    }
}
