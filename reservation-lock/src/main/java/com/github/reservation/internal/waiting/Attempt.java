// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import com.github.reservation.Ticker;
import com.github.reservation.internal.base.LeaseTimes;
import com.github.reservation.internal.base.Reading;
import com.github.reservation.internal.base.Retries;
import com.github.reservation.internal.base.Trust;
import com.github.reservation.internal.grant.Grant;
import com.github.reservation.internal.grant.Grants;
import com.github.reservation.internal.grant.Grants.LossSignal;
import com.github.reservation.internal.grant.RetryingStore;
import com.github.reservation.internal.waiting.Wanted.Patience;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.Acquisition.Refused;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoreException.Kind;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition: one holder name, and as many requests to the store as it takes.
 *
 * <p>When a reply got lost, the store may have granted the key without this side knowing. From then on every answer but a grant
 * is checked by looking who holds the key. If it is this holder, the lease counts from before the request whose reply got
 * lost. An attempt that ends in doubt has its lease released in the background.
 *
 * <p>A holder that names itself may have used the name before: then the lease in the store counts only if it runs for the time of this
 * request, and a lease that does not is left alone.
 */
public final class Attempt implements AutoCloseable {

    private sealed interface Knowledge {

        /**
         * Every request was answered, or its outcome was found out.
         *
         * @param late whether a request for this lease got lost and may still arrive
         */
        record Certain(boolean late) implements Knowledge {}

        /**
         * The store may have granted the key.
         *
         * @param since when the first request whose reply got lost was sent
         * @param unseen whether the key was not looked at since the last such request
         */
        record InDoubt(Reading since, boolean unseen) implements Knowledge {}
    }

    /** How much longer or shorter than its own time a lease may seem to run, because two clocks run at different rates. */
    private static final Duration TOLERANCE = Duration.ofMillis(100);

    /** Every store keeps a lease for at least this long if it was asked to keep it for longer. */
    private static final Duration LONGEST_KEPT = Duration.ofDays(18_000);

    private final RetryingStore store;
    private final Ticker ticker;
    private final Grants grants;
    private final Node node;
    private final Wanted wanted;
    private final Patience patience;

    private LeaseId lease;
    private Knowledge knowledge = new Knowledge.Certain(false);
    private Reading sent = new Reading(0, 0);
    private long answered;
    private Duration grantedFor;
    private @Nullable LossSignal heardBefore;
    private boolean polling;

    public Attempt(RetryingStore store, Grants grants, Node node, Wanted wanted) {
        this.store = store;
        this.ticker = store.ticker();
        this.grants = grants;
        this.node = node;
        this.wanted = wanted;
        this.patience = wanted.patience();
        this.lease = newLease();
        this.grantedFor = wanted.leaseTime();
    }

    /** Asks for the key, for a caller that does not wait. */
    public Outcome askOnce() {
        try {
            return switch (ask(false)) {
                case Granted granted -> acquired(granted, null);
                case Refused refused -> new Outcome.TimedOut();
            };
        } catch (StoreException e) {
            return new Outcome.Failed(e);
        } catch (InterruptedException e) {
            return new Outcome.Interrupted();
        }
    }

    /** Asks for the key; with {@code polls} only because some time has passed since it was refused. */
    public Acquisition ask(boolean polls) throws StoreException, InterruptedException {
        Retries.Repeats repeats = store.retries().new Repeats(patience.deadline());
        polling = polls;
        while (true) {
            try {
                if (knowledge instanceof Knowledge.InDoubt doubt && doubt.unseen) {
                    Optional<Acquisition> found = findHolder(doubt);
                    if (found.isPresent()) {
                        return accepted(found.get());
                    }
                }
                Acquisition answer = repeats.answer(this::send);
                if (answer instanceof Refused && knowledge instanceof Knowledge.InDoubt doubt) {
                    answer = findHolder(doubt).orElse(answer);
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

    /** Returns the request that another thread may send for this one; null while it is unknown whether the key was granted. */
    @Nullable AcquireRequest openRequest() {
        if (knowledge instanceof Knowledge.InDoubt) {
            return null;
        }
        noteLastSignal();
        return request(false);
    }

    /** Accepts what another thread was granted for this one. */
    Granted accept(Granted granted, Reading sentAt) throws StoreException {
        sent = sentAt;
        accepted(granted);
        return granted;
    }

    /** Learns that another thread has asked for this one, and got no answer. */
    void acceptDoubt(Reading sentAt) {
        sent = sentAt;
        noteDoubt();
    }

    /** Goes on under a new holder name, because a request under the old one may never be answered. */
    void abandonHandoff() {
        store.releaseInDoubt(lease, endOfLease(ticker.nanos()));
        startOver();
    }

    /** Returns the outcome for a key that was granted; {@code waiter} is null for a caller that did not wait. */
    Outcome.Acquired acquired(Granted granted, @Nullable Waiter waiter) {
        Grant grant = new Grant(
                wanted.identifier(),
                lease,
                granted.fence(),
                Thread.currentThread(),
                sent,
                grantedFor,
                answered);
        if (mayArriveAgain()) {
            grant.markAcquiredInDoubt();
        }
        if (waiter != null) {
            grant.keepSince(waiter.nodeHasItSince(answered));
        }
        return new Outcome.Acquired(grant, heardBefore);
    }

    /** Returns when the request was sent that was granted. */
    public Reading sent() {
        return sent;
    }

    /** Returns for how long the key was granted. */
    public Duration grantedFor() {
        return grantedFor;
    }

    /** Returns whether the key was granted, and a request for this lease got lost and may still arrive. */
    public boolean mayArriveAgain() {
        return knowledge instanceof Knowledge.Certain certain && certain.late;
    }

    /** Has the lease released if it may have been granted. */
    @Override
    public void close() {
        if (knowledge instanceof Knowledge.InDoubt) {
            store.releaseInDoubt(lease, endOfLease(ticker.nanos()));
        }
    }

    private void noteDoubt() {
        Reading since = knowledge instanceof Knowledge.InDoubt doubt ? doubt.since : sent;
        knowledge = new Knowledge.InDoubt(since, true);
    }

    private void startOver() {
        lease = newLease();
        knowledge = new Knowledge.Certain(false);
    }

    private Acquisition send() throws StoreException {
        AcquireRequest request = request(polling);
        if (knowledge instanceof Knowledge.Certain) {
            noteLastSignal();
        }
        sent = Reading.of(ticker);
        return store.store().acquire(request);
    }

    private void noteLastSignal() {
        heardBefore = grants.lastSignal();
    }

    private AcquireRequest request(boolean polls) {
        String name = patience.waits() ? node.name() : node.nameIfWaited();
        return new AcquireRequest(lease, wanted.leaseTime(), name, patience.waits(), polls);
    }

    /** Finds out who holds the key: this holder, another one, or (empty) nobody. */
    private Optional<Acquisition> findHolder(Knowledge.InDoubt doubt) throws StoreException {
        Optional<StoredLease> found = store.retries().answer(
                () -> store.store().find(wanted.key()), patience.deadline());
        knowledge = new Knowledge.InDoubt(doubt.since, false);
        if (found.isPresent() && found.get().id().equals(lease)) {
            if (wanted.holder() == null || runsSince(doubt.since, found.get())) {
                sent = doubt.since;
                return Optional.of(new Granted(found.get().fence()));
            }
            knowledge = new Knowledge.Certain(false); // An earlier lease of the same holder, which is not this one's to release.
        }
        return found.map(other -> new Refused(other.remaining(), patience.waits()));
    }

    /** Returns whether the lease was granted for this time after {@code first}; an earlier request may have asked for a longer one. */
    private boolean runsSince(Reading first, StoredLease found) {
        Duration asked = wanted.leaseTime();
        Duration elapsed = Duration.ofNanos(ticker.nanos() - first.nanos());
        Duration atLeast = asked.compareTo(LONGEST_KEPT) < 0 ? asked : LONGEST_KEPT;
        return found.remaining().plus(elapsed).plus(TOLERANCE).compareTo(atLeast) >= 0
                && found.remaining().compareTo(asked.plus(TOLERANCE)) <= 0;
    }

    /** Accepts a grant, unless it came so late that it may not be trusted any more. */
    private Acquisition accepted(Acquisition answer) throws StoreException {
        if (answer instanceof Refused) {
            return answer;
        }
        knowledge = new Knowledge.Certain(knowledge instanceof Knowledge.InDoubt);
        Reading now = Reading.of(ticker);
        answered = now.nanos();
        grantedFor = store.granted(lease, wanted.leaseTime());
        if (Trust.of(sent, grantedFor).left(now) > 0) {
            return answer;
        }
        // The late lease gets a release of its own, which must not hit what is granted from now on.
        store.releaseLater(lease, endOfLease(answered));
        startOver();
        throw new StoreException(
                Kind.UNAVAILABLE,
                "The store took longer to answer than the lease of " + grantedFor + " can be trusted");
    }

    private long endOfLease(long start) {
        return start + LeaseTimes.nanos(wanted.leaseTime());
    }

    private LeaseId newLease() {
        String holder = wanted.holder();
        return new LeaseId(wanted.key(), holder == null ? node.nextHolder(Thread.currentThread()) : holder);
    }
}
