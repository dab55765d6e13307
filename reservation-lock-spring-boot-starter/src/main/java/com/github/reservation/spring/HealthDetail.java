// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Map;
import java.util.Optional;

/** A bean that says more about the health of reservations, without a change of their status. */
interface HealthDetail {

    /** Returns the name of the detail. */
    String healthName();

    /** Returns what there is to say now; empty if that is nothing. */
    Optional<Map<String, Object>> health();
}
