// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import com.github.reservation.store.LeaseId;
import com.github.reservation.store.QueueingStore;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link QueueingStore} that decides in Java knows of a key, and whose turn it is. All times are on the clock of the store,
 * in whatever unit it has.
 *
 * @param lease the last lease, which counts until {@code endsAt}; null if it was released
 * @param acquiredAt when the lease began
 * @param waiters the nodes that wait, longest first
 * @param keptUntil until when a released key is kept for the first of them
 */
public record LeaseRow(
        @Nullable LeaseId lease, long fence, long acquiredAt, long endsAt, List<String> waiters, long keptUntil) {

    /** Returns the lease if it still runs. */
    public @Nullable LeaseId leaseAt(long now) {
        return lease != null && endsAt - now > 0 ? lease : null;
    }

    /** Returns whether the key is free and its waiters are gone: live ones would have come long ago. */
    public boolean isAbandonedAt(long now, long patience) {
        boolean longAgo = endsAt + patience - now < 0 && keptUntil + patience - now < 0;
        return leaseAt(now) == null && (waiters.isEmpty() || longAgo);
    }

    /** Returns whether the key is free, and the node the first in line for it. */
    public boolean isTurnOf(String node) {
        return lease == null && !waiters.isEmpty() && waiters.getFirst().equals(node);
    }

    /** Returns whether the key is free, but kept for another node. */
    public boolean isKeptFromAt(String node, long now) {
        return lease == null && !waiters.isEmpty() && !isTurnOf(node) && keptUntil - now > 0;
    }

    /** Returns whether a node other than this one waits. */
    public boolean isAwaitedByOthersThan(String node) {
        return waiters.stream().anyMatch(waiter -> !waiter.equals(node));
    }

    public LeaseRow withEnd(long newEnd) {
        return new LeaseRow(lease, fence, acquiredAt, newEnd, waiters, keptUntil);
    }

    /** Returns the row with the node in line, at the end unless it is in line already. */
    public LeaseRow withWaiter(String node) {
        return waiters.contains(node)
                ? this
                : withWaiters(Stream.concat(waiters.stream(), Stream.of(node)).toList());
    }

    public LeaseRow withoutWaiter(String node) {
        return withWaiters(waiters.stream().filter(waiter -> !waiter.equals(node)).toList());
    }

    /** Returns the line without the node that gets the key, and without the first in line if it let its turn pass. */
    public List<String> waitersAfterGrantTo(String node) {
        boolean turnPassed = lease == null && !isTurnOf(node);
        return waiters.stream()
                .skip(turnPassed ? 1 : 0)
                .filter(waiter -> !waiter.equals(node))
                .toList();
    }

    /** Returns the row without its lease, and the key kept for the first waiter, if there is one. */
    public LeaseRow released(long newKeptUntil) {
        return new LeaseRow(null, fence, acquiredAt, endsAt, waiters, newKeptUntil);
    }

    /** Returns the row of a node that gives up its place; a grace for the next in line ends at {@code newKeptUntil}. */
    public LeaseRow withdrawn(String node, long newKeptUntil) {
        // The next in line gets a grace of its own; but no grace starts again because other nodes leave.
        LeaseRow without = withoutWaiter(node);
        return isTurnOf(node) ? without.released(newKeptUntil) : without;
    }

    private LeaseRow withWaiters(List<String> newWaiters) {
        return new LeaseRow(lease, fence, acquiredAt, endsAt, newWaiters, keptUntil);
    }
}
