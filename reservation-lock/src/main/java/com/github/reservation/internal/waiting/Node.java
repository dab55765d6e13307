// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.store.AcquireRequest;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * This manager, as the store sees it among those that wait for a key. Its name is drawn at the first wait and not when the
 * manager is built: processes that were restored from one snapshot would share it.
 */
public final class Node {

    private final @Nullable String label;
    private final AtomicReference<@Nullable String> name = new AtomicReference<>();

    /** Creates a node whose holders are named after {@code label}; null for host and process id. */
    Node(@Nullable String label) {
        this.label = label;
    }

    /** Returns a name for an acquisition by the current thread. */
    String nextHolder() {
        return HolderNames.next(Thread.currentThread(), label);
    }

    /** Returns the name to wait under. */
    public String name() {
        String drawn = name.get();
        if (drawn != null) {
            return drawn;
        }
        String fresh = HolderNames.node();
        return name.compareAndSet(null, fresh) ? fresh : name();
    }

    /** Returns the name if this node has ever waited, else {@link AcquireRequest#NO_NODE}. */
    public String nameIfWaited() {
        String drawn = name.get();
        return drawn == null ? AcquireRequest.NO_NODE : drawn;
    }
}
