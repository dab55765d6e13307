// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A method with a valid {@link Reserved}.
 *
 * @param domain the domain, with its placeholders resolved
 * @param lease the lease, if the annotation sets one
 * @param maxWait the wait, if the annotation sets one
 * @param returnsOptional whether a call that is skipped returns an empty {@link Optional}
 */
record ReservedMethod(
        String domain,
        ReservedKey key,
        Optional<Duration> lease,
        Optional<Duration> maxWait,
        OnBusy onBusy,
        boolean returnsOptional) {

    /** Returns how long to wait, if the annotation does not say and a call must not be skipped. */
    Duration maxWait(Duration otherwise) {
        return maxWait.orElse(onBusy == OnBusy.SKIP ? Duration.ZERO : otherwise);
    }

    /** Returns the result of a call that is skipped. */
    @Nullable Object skipped() {
        return returnsOptional ? Optional.empty() : null;
    }
}
