// SPDX-License-Identifier: Apache-2.0
/**
 * Deletes what stores keep of keys that were not used for long.
 *
 * <p>{@code Purger} is the entry point: it asks a store about once an hour.
 */
@NullMarked
package com.github.reservation.internal.purge;

import org.jspecify.annotations.NullMarked;
