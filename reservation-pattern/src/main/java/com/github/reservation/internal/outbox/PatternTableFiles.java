// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.claim.Claims;
import com.github.reservation.internal.sql.TableFiles;
import com.github.reservation.outbox.Outbox;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The DDL of claims and of the outbox. */
public final class PatternTableFiles implements TableFiles {

    @Override
    public List<Kind> kinds() {
        return List.of(
                new Kind("-claims", "RESERVATION_CLAIMS"),
                new Kind("-claims-migration", "RESERVATION_CLAIMS"),
                new Kind("-outbox", "RESERVATION_OUTBOX"));
    }

    @Override
    public @Nullable InputStream open(String file) {
        Class<?> neighbour = file.endsWith("-outbox.sql") ? Outbox.class : Claims.class;
        return neighbour.getResourceAsStream(file);
    }
}
