// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.Ticker;
import com.github.reservation.internal.claim.ClaimMeters;
import com.github.reservation.internal.claim.MemoryClaims;
import com.github.reservation.internal.claim.StoreClaims;
import java.util.Objects;

/** Builds claims in the memory of this JVM, for tests. A builder is not thread-safe; what it builds is. */
public final class InMemoryClaimsBuilder extends ClaimsBuilder<InMemoryClaimsBuilder> {

    private final Ticker ticker;

    /** Creates a builder, like {@link Claims#inMemory(Ticker)}. */
    public InMemoryClaimsBuilder(Ticker ticker) {
        this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
    }

    /** Builds new claims, which share nothing with others. */
    public Claims build() {
        return StoreClaims.open(
                new MemoryClaims(ticker), ticker, normalizers(), ClaimMeters.of(meterRegistry(), "memory"));
    }
}
