// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

/**
 * A callback for changes of claims. Register it with {@link Claims#onEvent}.
 *
 * <p>The library calls a listener on the thread that made the change, after the change was committed and before the call returns. So a
 * listener must be thread-safe, and one that blocks delays the caller. 
 *
 * <p>An exception of a listener affects neither the claim nor other listeners. The first one is logged as a warning, with the class of the
 * listener. Further ones are logged at level DEBUG until a call of the listener has succeeded.
 *
 * <p>A listener is called at most once for a change. It is not called if the process dies between the commit and the call, and perhaps
 * not if the reply of the store was lost. It is not called for changes in a caller's transaction
 * ({@link Claims#in(java.sql.Connection)}) either, because JDBC has no hook for the commit; a caller who has one uses
 * {@link Claims#in(java.sql.Connection, java.util.concurrent.Executor)}. {@link JdbcClaimsBuilder#outbox} loses none of these changes.
 */
@FunctionalInterface
public interface ClaimListener {

    /** Reacts to the change. */
    void onEvent(ClaimEvent event);
}
