// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import java.time.Duration;

/** What a caller wants: the key, for how long, and how long it waits. */
public record Wanted(String identifier, String key, Duration leaseTime, Patience patience) {}
