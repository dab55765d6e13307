// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Says where reservations are kept and how long they last. It names no identifier and does not ask the store. */
record ReservationsInfoContributor(
        ReservationManagers managers, ReservationProperties properties, Optional<Backend> backend)
        implements InfoContributor {

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        backend.ifPresent(known -> details.put("kept", known.place()));
        details.put("leaseTime", properties.leaseTime());
        if (properties.autoRenew().maxHold() != null) {
            details.put("maxHold", properties.autoRenew().maxHold());
        }
        details.put("domains", managers.domains());
        builder.withDetail("reservations", details);
    }
}
