// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

/** Why a hold was lost before it was given back. */
public enum LossReason {

    /** Its time was over and nobody had renewed it. */
    EXPIRED,

    /** Somebody else holds the key now. */
    TAKEN_OVER,

    /** An administrator released it, see {@link Reservation#forceUnlock()}, or removed it from the store. */
    FORCED,

    /** It could not be renewed in time because the store did not answer. */
    STORE_UNREACHABLE,

    /** The store dropped what this node held: it lost sight of the node, or lost the data itself. */
    DISCONNECTED
}
