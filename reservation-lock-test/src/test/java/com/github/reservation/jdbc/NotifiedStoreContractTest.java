// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.internal.jdbc.NotifyingJdbcLeaseStore;
import com.github.reservation.jdbc.server.PostgresServer;
import com.github.reservation.store.LeaseStore;

/** The contract on a real PostgreSQL that notifies those who wait. */
@Needs(Backend.POSTGRESQL)
class NotifiedStoreContractTest extends JdbcStoreContract {

    @Override
    JdbcBackend createBackend() {
        return JdbcBackend.on(PostgresServer.shared(), "postgresql");
    }

    @Override
    protected LeaseStore openStore() {
        return new NotifyingJdbcLeaseStore(settings(backend.dataSource()), backend.dataSource());
    }
}
