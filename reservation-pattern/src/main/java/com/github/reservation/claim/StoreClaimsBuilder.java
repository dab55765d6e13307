// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.Ticker;
import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.internal.claim.ClaimMeters;
import com.github.reservation.internal.claim.StoreClaims;
import java.util.Objects;

/** Builds claims on your own {@link ClaimStore}. A builder is not thread-safe; what it builds is. */
public final class StoreClaimsBuilder extends ClaimsBuilder<StoreClaimsBuilder> {

    private final ClaimStore store;

    /** Creates a builder, like {@link Claims#on(ClaimStore)}. */
    public StoreClaimsBuilder(ClaimStore store) {
        this.store = Objects.requireNonNull(store, "store must not be null");
    }

    /** Builds claims without a call to the store. Close them when they are no longer needed: that ends the purge, if the store has one. */
    public Claims build() {
        return StoreClaims.open(
                store, Ticker.system(), normalizers(), ClaimMeters.of(meterRegistry(), "store"));
    }
}
