// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.History;

/** A check of the locks in a history. */
@FunctionalInterface
interface LockCheck {

    /** Looks at a history, from which the grants were made. */
    Verdict of(History history, Grants grants);
}
