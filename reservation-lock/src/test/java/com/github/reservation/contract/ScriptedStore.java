// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import com.github.reservation.Registration;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.QueueingStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.SignallingStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands in front of a real store: counts the calls, and fails before or after the real one as a test has scripted. */
public final class ScriptedStore implements SignallingStore, QueueingStore {

    /** The operations of a store. */
    public enum Op {
        ACQUIRE, RENEW, RELEASE, RELEASE_AND_QUEUE, PASS, FORCE_RELEASE, FIND, LIST, WITHDRAW
    }

    /** Something to happen in the middle of a call. */
    @FunctionalInterface
    public interface Event {
        void happen() throws StoreException;
    }

    private record Script(boolean afterwards, Event event) {}

    private final LeaseStore store;
    private final Map<Op, AtomicInteger> calls = new EnumMap<>(Op.class);
    private final Map<Op, AtomicInteger> ended = new EnumMap<>(Op.class);
    private final Map<Op, ConcurrentLinkedDeque<Script>> scripts = new EnumMap<>(Op.class);
    private final Map<Op, Event> always = new ConcurrentHashMap<>();
    private final Set<Op> losing = ConcurrentHashMap.newKeySet();
    private final Set<String> undecided = ConcurrentHashMap.newKeySet();
    private final Map<String, Event> renewals = new ConcurrentHashMap<>();
    private volatile int mostLeasesInACall = SignallingStore.super.mostLeasesInACall();
    private volatile Runnable askedForSignals = () -> {};
    private volatile boolean deaf;
    private volatile boolean mayStay;

    public ScriptedStore(LeaseStore store) {
        this.store = store;
        for (Op op : Op.values()) {
            calls.put(op, new AtomicInteger());
            ended.put(op, new AtomicInteger());
            scripts.put(op, new ConcurrentLinkedDeque<>());
        }
    }

    /** Returns whether the node that gave a key back or on last was allowed to stay before the others. */
    public boolean mayStay() {
        return mayStay;
    }

    /** Lets something happen whenever the core asks whether it can count on signals. */
    public void whenAskedForSignals(Runnable event) {
        askedForSignals = event;
    }

    /** Passes no signals on, as if all of them were lost. */
    public ScriptedStore withoutSignals() {
        deaf = true;
        return this;
    }

    public int calls(Op op) {
        return calls.get(op).get();
    }

    /** Returns how many calls of the operation have returned or thrown. */
    public int ended(Op op) {
        return ended.get(op).get();
    }

    /** Lets the next call of the operation not reach the store. */
    public void failNext(Op op, Kind kind) {
        next(op, false, () -> {
            throw new StoreException(kind, "Scripted before " + op);
        });
    }

    /** Lets the next call of the operation take effect and its reply get lost. */
    public void loseNextReply(Op op) {
        next(op, true, () -> {
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Scripted after " + op);
        });
    }

    /** Lets something happen in the next call of the operation, before or after it took effect. */
    public void next(Op op, boolean afterwards, Event event) {
        scripts.get(op).add(new Script(afterwards, event));
    }

    /** Lets the operation take effect and every reply to it get lost from now on. */
    public void loseReplies(Op op) {
        losing.add(op);
    }

    /** Lets no call reach the store from now on. */
    public void goDown(Kind kind) {
        for (Op op : Op.values()) {
            always.put(op, () -> {
                throw new StoreException(kind, "Scripted outage at " + op);
            });
        }
    }

    /** Lets something happen before each call of the operation, until the store comes back. */
    public void always(Op op, Event event) {
        always.put(op, event);
    }

    /** Does not look at the lease of the key when it is to be renewed, until the store comes back. */
    public void leaveUndecided(String key) {
        undecided.add(key);
    }

    /** Lets something happen before each renewal with the lease of the key, until the store comes back. */
    public void whenRenewed(String key, Event event) {
        renewals.put(key, event);
    }

    /** Takes only so many leases in a call. */
    public void limitLeasesInACall(int most) {
        mostLeasesInACall = most;
    }

    public void comeBack() {
        renewals.clear();
        undecided.clear();
        always.clear();
        losing.clear();
    }

    @Override
    public Acquisition acquire(AcquireRequest request) throws StoreException {
        return play(Op.ACQUIRE, () -> store.acquire(request));
    }

    @Override
    public int mostLeasesInACall() {
        return mostLeasesInACall;
    }

    @Override
    public Renewal renew(Collection<LeaseId> leases, Duration lease) throws StoreException {
        return play(Op.RENEW, () -> {
            for (LeaseId id : leases) {
                renewals.getOrDefault(id.key(), () -> {}).happen();
            }
            Map<Boolean, Set<LeaseId>> parts =
                    leases.stream().collect(partitioningBy(id -> undecided.contains(id.key()), toSet()));
            Set<LeaseId> others = parts.getOrDefault(false, Set.of());
            return new Renewal(store.renew(others, lease).renewed(), parts.getOrDefault(true, Set.of()));
        });
    }

    @Override
    public Set<LeaseId> release(Collection<LeaseId> leases) throws StoreException {
        return play(Op.RELEASE, () -> store.release(leases));
    }

    @Override
    public Optional<LeaseId> forceRelease(String key) throws StoreException {
        return play(Op.FORCE_RELEASE, () -> store.forceRelease(key));
    }

    @Override
    public Optional<StoredLease> find(String key) throws StoreException {
        return play(Op.FIND, () -> store.find(key));
    }

    @Override
    public List<StoredLease> list(String keyPrefix) throws StoreException {
        return play(Op.LIST, () -> store.list(keyPrefix));
    }

    @Override
    public boolean hasQueue() {
        return !(store instanceof QueueingStore queueing) || queueing.hasQueue();
    }

    @Override
    public Optional<Acquisition.Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
            throws StoreException {
        this.mayStay = mayStay;
        if (store instanceof QueueingStore queueing) {
            return play(Op.PASS, () -> queueing.pass(lease, next, mayStay));
        }
        return Optional.empty();
    }

    @Override
    public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
        this.mayStay = mayStay;
        return play(Op.RELEASE_AND_QUEUE, () -> store instanceof QueueingStore queueing
                ? queueing.releaseAndQueue(lease, node, mayStay)
                : store.release(List.of(lease)).contains(lease));
    }

    @Override
    public void withdraw(String key, String node) throws StoreException {
        play(Op.WITHDRAW, () -> {
            if (store instanceof QueueingStore queueing) {
                queueing.withdraw(key, node);
            }
            return true;
        });
    }

    @Override
    public boolean canSignal() {
        askedForSignals.run();
        return !deaf && store instanceof SignallingStore signalling && signalling.canSignal();
    }

    @Override
    public Registration subscribe(Listener listener) {
        return !deaf && store instanceof SignallingStore signalling
                ? signalling.subscribe(listener)
                : () -> {};
    }

    @FunctionalInterface
    private interface Play<T> {
        T run() throws StoreException;
    }

    private <T> T play(Op op, Play<T> call) throws StoreException {
        calls.get(op).incrementAndGet();
        try {
            return playScript(op, call);
        } finally {
            ended.get(op).incrementAndGet();
        }
    }

    private <T> T playScript(Op op, Play<T> call) throws StoreException {
        Event outage = always.get(op);
        if (outage != null) {
            outage.happen();
        }
        Script script = scripts.get(op).poll();
        if (losing.contains(op)) {
            call.run();
            throw new StoreException(Kind.OUTCOME_UNKNOWN, "Scripted loss of the reply to " + op);
        }
        if (script == null) {
            return call.run();
        }
        if (!script.afterwards) {
            script.event.happen();
            return call.run();
        }
        T answer = call.run();
        script.event.happen();
        return answer;
    }
}
