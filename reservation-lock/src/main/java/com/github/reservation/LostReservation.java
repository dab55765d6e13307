// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.util.OptionalLong;

/**
 * A hold that ended before it was given back.
 *
 * @param thread the thread that took the reservation and may still believe in it
 * @param fencingToken the token of the lost hold, if the backend has them: a store that has seen a greater one rejects it
 */
public record LostReservation(
        String domain, String identifier, Thread thread, OptionalLong fencingToken, LossReason reason) {}
