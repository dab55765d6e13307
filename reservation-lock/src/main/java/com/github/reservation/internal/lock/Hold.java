// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.lock;

import com.github.reservation.internal.grant.Grant;

/** A thread's use of a grant: how many unlocks the thread owes. Only that thread changes it. */
final class Hold {

    final Thread thread;
    final Grant grant;

    /** Unlocks owed for this grant. */
    int count = 1;

    /** Unlocks owed for grants of the same thread and key that were lost before this one was acquired. */
    int lostCount;

    Hold(Thread thread, Grant grant) {
        this.thread = thread;
        this.grant = grant;
    }
}
