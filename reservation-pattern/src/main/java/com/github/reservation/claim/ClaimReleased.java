// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import java.time.Instant;

/** A value was given back: by the owner of its claim, or because its entity no longer needs it. */
public record ClaimReleased(String reservationId, String type, Instant occurredAt) implements ClaimEvent {}
