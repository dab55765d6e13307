// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.expiration;

import com.github.reservation.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/**
 * What kind of failure ended a run, to see whether it differs from the one before. Messages are left out, because some differ each
 * time.
 */
record FailureKind(List<String> chain) {

    static FailureKind of(Throwable failure) {
        return new FailureKind(BatchFailures.chain(failure).map(FailureKind::describe).toList());
    }

    private static String describe(Throwable e) {
        String type = e.getClass().getName();
        return switch (e) {
            case StoreException store -> type + ' ' + store.kind();
            case SQLException sql -> type + ' ' + sql.getSQLState() + ' ' + sql.getErrorCode();
            default -> type;
        };
    }
}
