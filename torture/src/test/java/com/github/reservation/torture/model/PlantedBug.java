// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import java.util.Map;

/**
 * A bug that a switch of a model plants.
 *
 * @param name the switch
 * @param invariant what the bug breaks
 * @param limits the constants for which TLC finds it soon
 */
record PlantedBug(String name, String invariant, Map<String, String> limits) {

    static PlantedBug bug(String name, String invariant, Map<String, String> limits) {
        return new PlantedBug(name, invariant, limits);
    }
}
