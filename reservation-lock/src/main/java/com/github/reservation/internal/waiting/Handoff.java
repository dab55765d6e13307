// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.internal.base.Reading;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition.Granted;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread that unlocks hands the key to a thread that waits: the first asks the store on behalf of both.
 *
 * <p>While the waiter is parked it offers its request. Another thread can claim the offer, once. From then on the waiter neither
 * asks the store nor parks for anything but the delivery; it may abandon the handoff at any time, and then the other thread has
 * to clean up. The first one to change the state wins, so nothing that was granted is ever without an owner.
 */
final class Handoff {

    sealed interface State {}

    private enum Simple implements State {
        /** The waiter asks the store itself. */
        NO_OFFER,
        /** Another thread asks the store. */
        CLAIMED,
        /** The waiter has left. */
        ABANDONED
    }

    /** The waiter is parked and would take the key. */
    private record Offered(AcquireRequest request) implements State {}

    /** What the other thread delivered. */
    sealed interface Delivery extends State {

        /** Returns when the other thread asked the store. */
        Reading sent();

        /**
         * The key.
         *
         * @param nodeHasItSince since when this node has had it without a break; null if it has just got it
         */
        record Key(Granted granted, Reading sent, @Nullable Long nodeHasItSince) implements Delivery {}

        /** The store may or may not have granted the key. */
        record Doubt(Reading sent) implements Delivery {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(Simple.NO_OFFER);

    /** The waiter is about to park, and offers its request. */
    void offer(AcquireRequest request) {
        state.compareAndSet(Simple.NO_OFFER, new Offered(request));
    }

    /** The waiter asks the store itself; false if another thread has claimed the offer, or has delivered. */
    boolean retract() {
        State current = state.get();
        return current == Simple.NO_OFFER
                || (current instanceof Offered && state.compareAndSet(current, Simple.NO_OFFER));
    }

    /** The waiter takes what was delivered, if anything was. */
    @Nullable Delivery take() {
        if (state.get() instanceof Delivery delivery) {
            state.set(Simple.NO_OFFER);
            return delivery;
        }
        return null;
    }

    /** The waiter leaves; returns what was delivered at the last moment, which is the waiter's to clean up. */
    @Nullable Delivery abandon() {
        return state.getAndSet(Simple.ABANDONED) instanceof Delivery delivery ? delivery : null;
    }

    /** Another thread claims the offer; returns the request to send, or null if there is no offer. */
    @Nullable AcquireRequest claim() {
        return state.get() instanceof Offered offer && state.compareAndSet(offer, Simple.CLAIMED)
                ? offer.request
                : null;
    }

    /** Delivers to the waiter; false if it has left meanwhile. */
    boolean deliver(Delivery delivery) {
        return state.compareAndSet(Simple.CLAIMED, delivery);
    }

    /** Delivers nothing: the waiter asks the store itself again. */
    void deliverNothing() {
        state.compareAndSet(Simple.CLAIMED, Simple.NO_OFFER);
    }
}
