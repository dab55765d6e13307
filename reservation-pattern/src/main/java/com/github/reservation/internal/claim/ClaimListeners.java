// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim;

import com.github.reservation.Registration;
import com.github.reservation.claim.ClaimEvent;
import com.github.reservation.claim.ClaimListener;
import com.github.reservation.internal.base.Log;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Calls listeners, one after another, and keeps what they throw away from the caller. */
final class ClaimListeners {

    /** One registration: a listener that is registered twice has two. */
    private static final class Entry {
        private final ClaimListener listener;

        Entry(ClaimListener listener) {
            this.listener = listener;
        }
    }

    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    Registration add(ClaimListener listener) {
        Entry entry = new Entry(Objects.requireNonNull(listener, "listener must not be null"));
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void publish(Supplier<ClaimEvent> event) {
        if (entries.isEmpty()) {
            return;
        }
        ClaimEvent published = event.get();
        for (Entry entry : entries) {
            try {
                entry.listener.onEvent(published);
            } catch (Throwable e) {
                Log.warn("A listener failed on " + published, e);
            }
        }
    }
}
