// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.claims;

import com.github.reservation.claim.store.ClaimStore;
import com.github.reservation.claim.store.TransactionalClaimStore;
import com.github.reservation.store.StoreException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;

/**
 * Counts the requests of a call whose replies were lost: each of them may take effect beside the one that is answered. After the other
 * kinds of failures nothing was changed: so says the contract of stores. The thread that makes the call asks for the count after it.
 */
final class WatchedClaimStore {

    private final ThreadLocal<Integer> doubts = ThreadLocal.withInitial(() -> 0);

    /** Returns the same store, watched. */
    TransactionalClaimStore watching(TransactionalClaimStore store) {
        return (TransactionalClaimStore) Proxy.newProxyInstance(
                ClaimStore.class.getClassLoader(), new Class<?>[]{TransactionalClaimStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("in")) {
                        return store.in((Connection) arguments[0]); // The caller knows whether its transaction was committed.
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        if (!(e.getCause() instanceof StoreException known)
                                || known.kind() == StoreException.Kind.OUTCOME_UNKNOWN) {
                            doubts.set(doubts.get() + 1);
                        }
                        throw e.getCause();
                    }
                });
    }

    /** Returns how many requests of this thread are in doubt since it last asked. */
    int takeDoubts() {
        int taken = doubts.get();
        doubts.set(0);
        return taken;
    }
}
