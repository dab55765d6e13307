// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.memory;

import com.github.reservation.internal.store.LeaseId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of a key that is held or waited for.
 *
 * @param lease the last lease, which counts until {@code endsAt}; null if it was released
 * @param acquiredAt when the lease began, on the ticker like the other times
 * @param waiters the nodes that wait, longest first
 * @param keptUntil until when a released key is kept for the first of them
 */
record Row(
        @Nullable LeaseId lease, long fence, long acquiredAt, long endsAt, List<String> waiters, long keptUntil) {

    /** Returns the lease if it still runs. */
    @Nullable LeaseId leaseAt(long now) {
        return lease != null && endsAt - now > 0 ? lease : null;
    }

    /** Returns whether the key is free and its waiters are gone: live ones would have come long ago. */
    boolean isAbandonedAt(long now, long patience) {
        boolean longAgo = endsAt + patience - now < 0 && keptUntil + patience - now < 0;
        return leaseAt(now) == null && (waiters.isEmpty() || longAgo);
    }

    boolean isTurnOf(String node) {
        return lease == null && !waiters.isEmpty() && waiters.getFirst().equals(node);
    }

    boolean isKeptFromAt(String node, long now) {
        return lease == null && !waiters.isEmpty() && !isTurnOf(node) && keptUntil - now > 0;
    }

    Row withEnd(long newEnd) {
        return new Row(lease, fence, acquiredAt, newEnd, waiters, keptUntil);
    }

    /** Returns the row with the node in line, at the end unless it is in line already. */
    Row withWaiter(String node) {
        return waiters.contains(node)
                ? this
                : withWaiters(Stream.concat(waiters.stream(), Stream.of(node)).toList());
    }

    Row withoutWaiter(String node) {
        return withWaiters(waiters.stream().filter(waiter -> !waiter.equals(node)).toList());
    }

    /** Returns the line without the node that gets the key, and without the first in line if it let its turn pass. */
    List<String> waitersAfterGrantTo(String node) {
        boolean turnPassed = lease == null && !isTurnOf(node);
        return waiters.stream()
                .skip(turnPassed ? 1 : 0)
                .filter(waiter -> !waiter.equals(node))
                .toList();
    }

    /** Returns the row without its lease, and the key kept for the first waiter; null if there is none. */
    @Nullable Row released(long newKeptUntil) {
        return waiters.isEmpty() ? null : new Row(null, fence, acquiredAt, endsAt, waiters, newKeptUntil);
    }

    private Row withWaiters(List<String> newWaiters) {
        return new Row(lease, fence, acquiredAt, endsAt, newWaiters, keptUntil);
    }
}
