// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import com.github.reservation.internal.store.AcquireRequest;
import com.github.reservation.internal.store.Acquisition;
import com.github.reservation.internal.store.Acquisition.Granted;
import com.github.reservation.internal.store.Acquisition.Refused;
import com.github.reservation.internal.store.LeaseId;
import com.github.reservation.internal.store.StoreException;
import com.github.reservation.internal.store.StoreException.Kind;
import com.github.reservation.internal.store.StoredLease;
import com.github.reservation.internal.store.WaitingStore;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition under way: one holder name, and as many questions to the store as it takes.
 *
 * <p>When a reply got lost the key may be ours without our knowing. Then every later answer but a grant is in doubt, and
 * is checked by looking who holds the key; if it is our holder, the lease counts from before the question in doubt was
 * sent. An attempt that gives up in doubt leaves the release to the {@link Cleaner}.
 */
final class Attempt implements AutoCloseable {

    private final Core core;
    private final String identifier;
    private final String key;
    private final Duration leaseTime;
    private final Patience patience;

    private LeaseId lease;
    private Reading sent = new Reading(0, 0);
    private long answered;

    /** Whether a question of ours may have been granted without our knowing, and when the first such one was sent. */
    private boolean inDoubt;

    private Reading inDoubtSince = sent;

    /** Whether there was such a question for this lease at all: it may still be on its way, and be granted late. */
    private boolean doubted;

    /** What the store had told of losses before it was asked. */
    private LossSignals.@Nullable Signal toldBefore;

    /** Whether nobody has looked yet since the last such question. */
    private boolean mustLook;

    Attempt(Core core, String identifier, String key, Duration leaseTime, Patience patience) {
        this.core = core;
        this.identifier = identifier;
        this.key = key;
        this.leaseTime = leaseTime;
        this.patience = patience;
        this.lease = newLease();
    }

    /** Asks for the key. */
    Acquisition ask() throws StoreException, InterruptedException {
        return ask(false);
    }

    /** Asks for the key; with {@code polls} only because some time has passed since it was refused. */
    Acquisition ask(boolean polls) throws StoreException, InterruptedException {
        StoreCalls.Repeats repeats = core.calls().new Repeats(patience.deadline());
        while (true) {
            try {
                if (mustLook) {
                    Optional<Acquisition> found = look();
                    if (found.isPresent()) {
                        return accepted(found.get());
                    }
                }
                Acquisition answer = repeats.answer(() -> send(polls));
                if (answer instanceof Refused && inDoubt) {
                    answer = look().orElse(answer);
                }
                return accepted(answer);
            } catch (StoreException e) {
                if (e.kind() == Kind.OUTCOME_UNKNOWN) {
                    noteDoubt();
                }
                if (e.isInterrupt() && patience.interruptible() && Thread.interrupted()) {
                    throw new InterruptedException();
                }
                repeats.allowOrThrow(e);
            } catch (Error e) {
                noteDoubt();
                throw e;
            }
        }
    }

    /** Returns what another thread of this manager may ask for in our name, or null while it is not clear whether we have it. */
    @Nullable AcquireRequest openRequest() {
        noteWhatIsTold();
        return inDoubt ? null : request(false);
    }

    /** Takes what another thread was granted in our name. */
    Granted passed(Granted granted, Reading sentAt) throws StoreException {
        sent = sentAt;
        accepted(granted);
        return granted;
    }

    /** Goes on in another name than the one in which another thread asks: it may never hear what became of that. */
    void abandonPass() {
        core.cleaner().releaseInDoubt(lease, core.ticker().nanos() + LeaseTimes.nanos(leaseTime));
        startOver();
    }

    private void startOver() {
        lease = newLease();
        doubted = false;
    }

    /** Learns that another thread has asked in our name, and got no answer. */
    void passedInDoubt(Reading sentAt) {
        sent = sentAt;
        noteDoubt();
    }

    /** Makes the current thread's hold of what was granted. */
    Hold hold(Granted granted) {
        Hold hold = new Hold(identifier, lease, granted.fence(), sent, leaseTime, answered);
        hold.acquiredInDoubt = doubted;
        hold.toldBefore = toldBefore;
        return hold;
    }

    /** Has given back what may have been granted without our knowing. */
    @Override
    public void close() {
        if (inDoubt) {
            core.cleaner().releaseInDoubt(lease, core.ticker().nanos() + LeaseTimes.nanos(leaseTime));
        }
    }

    private void noteDoubt() {
        if (!inDoubt) {
            inDoubt = true;
            inDoubtSince = sent;
        }
        mustLook = true;
        doubted = true;
    }

    private Acquisition send(boolean polls) throws StoreException {
        AcquireRequest request = request(polls);
        noteWhatIsTold();
        sent = Reading.of(core.ticker());
        if (!patience.waits() || !(core.store() instanceof WaitingStore store)) {
            return core.store().acquire(request);
        }
        Duration inStore = waitInStore();
        try {
            Acquisition answer = store.acquire(request, inStore);
            sent = Reading.of(core.ticker()).earlierOf(sent.plus(inStore));
            return answer;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Refused(Duration.ZERO, false);
        }
    }

    private void noteWhatIsTold() {
        if (!inDoubt) {
            toldBefore = core.signals().last();
        }
    }

    private AcquireRequest request(boolean polls) {
        String node = patience.waits() ? core.node().name() : core.node().nameIfWaited();
        return new AcquireRequest(lease, leaseTime, node, patience.waits(), polls);
    }

    /** Returns how long the store may park us: not too long, so that we see when the manager is closed. */
    private Duration waitInStore() {
        Duration left = Duration.ofNanos(Math.max(0, patience.deadline() - sent.nanos()));
        Duration longest = core.settings().longestPoll();
        return left.compareTo(longest) < 0 ? left : longest;
    }

    /** Finds out who holds the key: we do, somebody else does, or (empty) nobody. */
    private Optional<Acquisition> look() throws StoreException {
        Optional<StoredLease> found = core.calls().answer(() -> core.store().find(key), patience.deadline());
        mustLook = false;
        if (found.isPresent() && found.get().id().equals(lease)) {
            sent = inDoubtSince;
            return Optional.of(new Granted(found.get().fence()));
        }
        return found.map(other -> new Refused(other.remaining(), patience.waits()));
    }

    /** Takes a grant, unless it came so late that it may not be trusted any more. */
    private Acquisition accepted(Acquisition answer) throws StoreException {
        if (answer instanceof Refused) {
            return answer;
        }
        inDoubt = false;
        mustLook = false;
        Reading now = Reading.of(core.ticker());
        answered = now.nanos();
        if (Trust.of(sent, leaseTime).left(now) > 0) {
            return answer;
        }
        // The late lease gets a release of its own; whatever is granted to us from now on must not be hit by it.
        core.cleaner().release(lease, answered + LeaseTimes.nanos(leaseTime));
        startOver();
        throw new StoreException(
                Kind.UNAVAILABLE, "The store took longer to answer than the lease of " + leaseTime + " can be trusted");
    }

    private LeaseId newLease() {
        return new LeaseId(key, HolderNames.next(Thread.currentThread()));
    }
}
