// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox.jdbc;

import com.github.reservation.Registration;
import com.github.reservation.internal.base.KeyDigest;
import com.github.reservation.internal.outbox.OutboxStore;
import com.github.reservation.internal.sql.PostgreSqlListener;
import com.github.reservation.internal.sql.TableName;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/**
 * Tells instances that wait for their next poll of an append, by notifications of PostgreSQL. PostgreSQL commits transactions that
 * notify one after another. So an instance does not notify in each, but every {@link OutboxStore#ANNOUNCED_EVERY} at most.
 */
final class Announcements {

    /** With what a payload begins, before the digest of the name of the table. No node of a lock has such a name. */
    static final String ADDRESS = "outbox-";

    private final DataSource dataSource;
    private final String payload;
    private final AtomicLong next = new AtomicLong(System.nanoTime());

    Announcements(DataSource dataSource, TableName events) {
        this.dataSource = dataSource;
        this.payload = ADDRESS + KeyDigest.of(secret(events));
    }

    /** Returns what the payload has the digest of. PostgreSQL does not tell upper case from lower case in names, so neither do we. */
    static String secret(TableName events) {
        return events.name().toLowerCase(Locale.ROOT);
    }

    /** Returns true for one caller each time. If its transaction does not commit, nobody is notified. */
    boolean isDue() {
        long now = System.nanoTime();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + OutboxStore.ANNOUNCED_EVERY.toNanos());
    }

    Registration subscribe(Runnable appended) {
        return PostgreSqlListener.subscribe(dataSource, new PostgreSqlListener.Subscriber() {
            @Override
            public void notified(String notification) {
                if (notification.equals(payload)) {
                    appended.run();
                }
            }

            @Override
            public void missed() {
                appended.run();
            }
        })::close;
    }
}
