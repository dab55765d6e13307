// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import java.util.concurrent.Callable;

/** What the library does when a store says that a call has lost a race in it. */
final class Contention {

    private static final int CALLS = 20;

    private Contention() {}

    /** Makes a call again for as long as the store says that nothing was changed because of a race. */
    static <T> T again(Callable<T> call) throws Exception {
        for (int i = 1; i < CALLS; i++) {
            try {
                return call.call();
            } catch (StoreException e) {
                if (e.kind() != Kind.CONTENTION) {
                    throw e;
                }
            }
        }
        return call.call();
    }
}
