// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import javax.sql.DataSource;

/** A database on a {@link DatabaseServer}: where it is, who may do everything there, and new connections to it. */
public record Database(String url, String user, String password, DataSource dataSource) {}
