// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.check;

import com.github.reservation.torture.history.History;

/** Looks at what the processes of a run have seen, and at nothing else: it knows the promises, and no code of the library. */
@FunctionalInterface
public interface Check {

    Verdict of(History history);
}
