// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.expiration.ExpirationBatch;
import com.github.reservation.internal.base.Errors;
import com.github.reservation.internal.expiration.ExpirationPlan.Publication;
import com.github.reservation.internal.expiration.jdbc.RowKey;
import com.github.reservation.internal.expiration.jdbc.TableRows.Locked;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * The rows that a transaction has locked, and which of them were rejected. The status of the others changes before the work begins,
 * so a row that the work rejects must be taken out by a rollback.
 */
final class OpenBatch<T> implements ExpirationBatch<T> {

    /** A row for the work, and its event if there are events. */
    private record Entry<T>(RowKey key, T row, Optional<Object> event) {}

    private final List<Entry<T>> entries = new ArrayList<>();
    private final Instant expiredAt;
    private final SequencedMap<RowKey, Throwable> rejected = new LinkedHashMap<>();

    private boolean mustRollBack;

    /** Rows that cannot be read, or for which there is no event, are rejected before the work sees them. */
    OpenBatch(ExpirationPlan<T> plan, Locked<T> locked) {
        this.expiredAt = locked.at();
        this.rejected.putAll(locked.unreadable());
        locked.rows().forEach((key, row) -> add(key, row, plan.publication()));
    }

    private void add(RowKey key, T row, Optional<Publication<T>> publication) {
        try {
            entries.add(new Entry<>(key, row, publication.map(events -> Objects.requireNonNull(
                    events.event().apply(row, expiredAt), "The event of row " + key + " must not be null"))));
        } catch (Throwable e) {
            Errors.throwIfOfTheJvm(e);
            rejected.put(key, e);
        }
    }

    @Override
    public List<T> rows() {
        return acceptedEntries().map(Entry::row).toList();
    }

    @Override
    public Instant expiredAt() {
        return expiredAt;
    }

    /** Equal rows are worth the same to the work, so any of them that is not rejected yet will do. */
    @Override
    public void reject(T row, Throwable cause) {
        Objects.requireNonNull(row, "row must not be null");
        Objects.requireNonNull(cause, "cause must not be null");
        List<Entry<T>> equal = entries.stream().filter(entry -> entry.row.equals(row)).toList();
        if (equal.isEmpty()) {
            throw new IllegalArgumentException("row must be one of the rows of the batch, but is " + row);
        }
        equal.stream().filter(this::isAccepted).findFirst().ifPresent(entry -> rejected.put(entry.key, cause));
        mustRollBack = true;
    }

    private boolean isAccepted(Entry<T> entry) {
        return !rejected.containsKey(entry.key);
    }

    private Stream<Entry<T>> acceptedEntries() {
        return entries.stream().filter(this::isAccepted);
    }

    /** Returns whether the work has rejected rows: their status is changed, and their work may be done. */
    boolean mustRollBack() {
        return mustRollBack;
    }

    List<RowKey> accepted() {
        return acceptedEntries().map(Entry::key).toList();
    }

    SequencedMap<RowKey, Throwable> rejected() {
        return rejected;
    }

    /** Returns the events of the accepted rows. */
    List<Object> events() {
        return acceptedEntries().flatMap(entry -> entry.event.stream()).toList();
    }
}
