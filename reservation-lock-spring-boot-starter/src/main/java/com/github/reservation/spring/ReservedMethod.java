// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.lease.HeldLock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A method with a valid {@link Reserved}.
 *
 * @param domain the domain, with its placeholders resolved
 * @param lease the lease, if the annotation sets one
 * @param maxWait the wait, if the annotation sets one
 * @param heldLock the position of the parameter of type {@link HeldLock}, if the method has one
 */
record ReservedMethod(
        String domain,
        ReservedKey key,
        Optional<Duration> lease,
        Optional<Duration> maxWait,
        OnBusy onBusy,
        Returned returned,
        OptionalInt heldLock) {

    /** Returns how long to wait, if the annotation does not say and a call must not be skipped. */
    Duration maxWait(Duration otherwise) {
        return maxWait.orElse(onBusy == OnBusy.SKIP ? Duration.ZERO : otherwise);
    }

    /** Returns whether other threads than the caller's may need the lock. */
    boolean needsHandle() {
        return returned == Returned.FUTURE || heldLock.isPresent();
    }
}
