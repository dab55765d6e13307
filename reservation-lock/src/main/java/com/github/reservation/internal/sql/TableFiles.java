// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.sql;

import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The DDL files of one of our jars: a file {@code postgresql-claims.sql} for the database PostgreSQL and the suffix {@code -claims}. */
public interface TableFiles {

    /**
     * Files with one purpose, at most one for each database.
     *
     * @param suffix what comes after the name of the database
     * @param table the name of the table in the files; names of further tables begin with it
     */
    record Kind(String suffix, String table) {}

    List<Kind> kinds();

    /** Opens a file of this jar; returns null if there is none of that name. */
    @Nullable InputStream open(String file);
}
