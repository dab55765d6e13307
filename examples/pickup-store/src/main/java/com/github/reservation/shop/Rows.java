// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.MappedQuerySpec;
import org.springframework.jdbc.support.KeyHolder;

/** What queries return. Spring allows rows and keys to be null, which none of ours is. */
public final class Rows {

    private Rows() {}

    /** Returns all rows. */
    public static <T> List<T> of(MappedQuerySpec<? extends @Nullable T> query) {
        return query.list().stream().<T>map(Objects::requireNonNull).toList();
    }

    /** Returns the id that the database has given to the row that was inserted. */
    public static long id(KeyHolder inserted) {
        return Objects.requireNonNull(inserted.getKeyAs(Number.class), "The database returned no id").longValue();
    }
}
