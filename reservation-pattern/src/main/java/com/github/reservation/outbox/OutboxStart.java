// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

/** With which events a listener begins that the database does not know yet, or a type that is new for it. */
public enum OutboxStart {

    /** With those that are appended from now on. */
    NEW_EVENTS,

    /**
     * Also with those that are still there, because another listener has not received them. It may not receive events of transactions that
     * are open while it registers.
     */
    KEPT_EVENTS
}
