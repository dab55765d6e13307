// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import com.github.reservation.shop.catalog.Store;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a store.
 *
 * @param running null if nobody counts
 * @param last null if the store was never counted
 */
public record CountView(Store store, @Nullable Running running, @Nullable LastCount last) {}
