// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;

/** A value belongs to an entity. */
public record ClaimConfirmed(String reservationId, String type, String entityId, Instant occurredAt)
        implements ClaimEvent {}
