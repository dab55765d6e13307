// SPDX-License-Identifier: Apache-2.0
/** Reserve, confirm, release, expire, tell: claims of unique values, the expiration of rows, and an outbox. */
module com.github.reservation.pattern {
    requires transitive com.github.reservation;
    // Not transitive: users must be able to compile without them.
    requires static org.jspecify;

    exports com.github.reservation.claim;
    exports com.github.reservation.claim.store;
    exports com.github.reservation.expiration;
    exports com.github.reservation.outbox;

    provides com.github.reservation.internal.sql.TableFiles
            with com.github.reservation.internal.outbox.PatternTableFiles;
}
