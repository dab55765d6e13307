// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.store.LeaseId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value of a key in the map: a {@link LeaseRow} as text that people can read. A key that is held begins with the holder, a
 * free one with the time since when it is free, so that a query finds either. Times are microseconds of the cluster's clock.
 *
 * <p>No text is ever written twice, because every change counts {@code version} up and every holder has a random name: so a
 * request that Hazelcast repeats, or carries out after the record was changed, finds another text than it expects, and changes
 * nothing. A delayed request takes effect if nobody has changed the record: at worst it leaves a lease of nobody, which ends at its end.
 */
final class MapRecord {

    /** How the text of a key begins that is held, and of one that is free. */
    static final String HELD = "holder=";

    static final String FREE = "free,since=";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Pattern TEXT = Pattern.compile(
            "(?:holder=(?<holder>[^,]*),acquired=[^,]*|free,since=[^,]*)"
                    + number("fence")
                    + number("from")
                    + number("end")
                    + number("kept")
                    + number("forced")
                    + number("version")
                    + ",queue=(?<queue>[^,]*),id=(?<id>[^,]*)");

    /** As many digits as a long surely holds. */
    private static String number(String name) {
        return "," + name + "=(?<" + name + ">\\d{1,18})";
    }

    private final LeaseRow row;
    private final long forced;
    private final long version;
    private final String text;

    private MapRecord(LeaseRow row, long forced, long version, String text) {
        this.row = row;
        this.forced = forced;
        this.version = version;
        this.text = text;
    }

    /** Returns the record that follows {@code before}; null if the key has none. */
    static MapRecord next(@Nullable MapRecord before, LeaseRow row) {
        return before == null ? of(row, 0, 1) : of(row, before.forced, before.version + 1);
    }

    /** Returns the record after somebody has released the lease by force. */
    static MapRecord forced(MapRecord before, LeaseRow row) {
        return of(row, before.row.fence(), before.version + 1);
    }

    private static MapRecord of(LeaseRow row, long forced, long version) {
        return new MapRecord(row, forced, version, text(row, forced, version));
    }

    private static String text(LeaseRow row, long forced, long version) {
        LeaseId lease = row.lease();
        String holder = lease == null ? "" : lease.holder();
        int secret = Math.max(holder.lastIndexOf('-'), 0);
        String state = lease == null
                ? FREE + time(row.keptUntil())
                : HELD + escaped(holder.substring(0, secret)) + ",acquired=" + time(row.acquiredAt());
        return state + ",fence=" + row.fence() + ",from=" + row.acquiredAt() + ",end=" + row.endsAt() + ",kept="
                + row.keptUntil() + ",forced=" + forced + ",version=" + version + ",queue="
                + String.join(" ", row.waiters()) + ",id="
                + escaped(holder.substring(secret));
    }

    /** A holder may have any name: it must not look like the parts that follow it. */
    private static String escaped(String name) {
        return name.replace("%", "%25").replace(",", "%2C");
    }

    private static String unescaped(String name) {
        return name.replace("%2C", ",").replace("%25", "%");
    }

    /** Returns the time as the texts print it, which sort as the times do. */
    static String time(long micros) {
        return TIME.format(Instant.ofEpochMilli(micros / 1000));
    }

    /** Reads a value of the map; empty if something else has written it. */
    static Optional<MapRecord> parse(String key, String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String holder = matcher.group("holder");
        String queue = matcher.group("queue");
        LeaseRow row = new LeaseRow(
                holder == null ? null : new LeaseId(key, unescaped(holder + matcher.group("id"))),
                Long.parseLong(matcher.group("fence")),
                Long.parseLong(matcher.group("from")),
                Long.parseLong(matcher.group("end")),
                queue.isEmpty() ? List.of() : Arrays.asList(queue.split(" ")),
                Long.parseLong(matcher.group("kept")));
        return Optional.of(new MapRecord(
                row, Long.parseLong(matcher.group("forced")), Long.parseLong(matcher.group("version")), text));
    }

    LeaseRow row() {
        return row;
    }

    String text() {
        return text;
    }

    boolean isOf(LeaseId lease) {
        return lease.equals(row.lease());
    }

    /** Returns whether the lease of an earlier record, or one after it, was released by force. */
    boolean tellsOfForceSince(MapRecord earlier) {
        return forced >= earlier.row.fence();
    }

    /** Returns whether this is a later record of the key than the other one. */
    boolean isAfter(MapRecord other) {
        return row.fence() == other.row.fence() ? version > other.version : row.fence() > other.row.fence();
    }

    /** Returns whether it is the very same record. */
    boolean isSame(@Nullable MapRecord other) {
        return other != null && text.equals(other.text);
    }
}
