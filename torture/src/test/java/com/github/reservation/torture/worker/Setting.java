// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.worker;

import com.github.reservation.ReservationManager;
import com.github.reservation.torture.history.Journal;
import com.github.reservation.torture.planted.Planted;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What a workload finds in its process.
 *
 * @param worker the name of the process
 * @param dataSource the database, if the store is one: a pool that reaches it through the worker's own proxy
 * @param locks the manager of the locks that are tortured
 * @param planted the bug that was put in on purpose, if there is one
 */
public record Setting(
        String worker, Optional<DataSource> dataSource, ReservationManager locks, Journal journal,
        Optional<Planted> planted) {}
