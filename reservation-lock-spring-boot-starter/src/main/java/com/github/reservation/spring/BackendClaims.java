// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.ReservationConfigurationException.apply;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.claim.InMemoryClaimsBuilder;
import com.github.reservation.claim.JdbcClaimsBuilder;
import java.util.function.Consumer;

/**
 * Opens claims where the locks are kept. Apart from {@link Backend}, which must load without the classes of claims.
 *
 * @param customizer changes their builder
 */
record BackendClaims(Backend backend, Consumer<ClaimsBuilder<?>> customizer) {

    /**
     * Opens the claims.
     *
     * @throws ReservationConfigurationException if claims cannot be kept there
     */
    Claims open() {
        if (backend instanceof MemoryBackend) {
            InMemoryClaimsBuilder builder = Claims.inMemory();
            customizer.accept(builder);
            return builder.build();
        }
        return backend.database()
                .map(database -> inTable(database.get()))
                .orElseThrow(() -> new ReservationConfigurationException(
                        "Claims need a database, but reservations are kept " + backend.place() + '.',
                        "Set reservation.backend=jdbc, or define a bean of type Claims."));
    }

    private Claims inTable(JdbcBackend database) {
        JdbcClaimsBuilder builder = Claims.jdbc(database.claimConnections());
        apply("reservation.jdbc.claims-table-name", () -> builder.tableName(database.settings().claimsTableName()));
        if (database.settings().database() != null) {
            builder.database(database.settings().database());
        }
        customizer.accept(builder);
        StoreTable.ofClaims(database.settings(), database.claimConnections()).prepare();
        return new TransactionalClaims(builder.build(), database.transactions());
    }
}
