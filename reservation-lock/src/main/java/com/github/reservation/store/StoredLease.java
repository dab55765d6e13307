// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.store;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/** A lease as the store sees it now, by its own clock. */
public record StoredLease(LeaseId id, Instant acquiredAt, Duration remaining, OptionalLong fence) {}
