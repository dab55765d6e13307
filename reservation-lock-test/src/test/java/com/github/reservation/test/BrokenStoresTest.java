// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.github.reservation.LossReason;
import com.github.reservation.Registration;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.Acquisition.Granted;
import com.github.reservation.store.LeaseId;
import com.github.reservation.store.LeaseStore;
import com.github.reservation.store.Renewal;
import com.github.reservation.store.ShorteningStore;
import com.github.reservation.store.StoreException;
import com.github.reservation.store.StoredLease;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract finds what is wrong with a store: exactly the tests fail that name what it breaks. */
@SideBySide
class BrokenStoresTest {

    /** The contract on a store in hand-driven time. */
    abstract static class OnRefinedStore extends StoreContract {

        private final RefinedStore store = createStore();

        abstract RefinedStore createStore();

        @Override
        protected LeaseStore openStore() {
            return store;
        }

        @Override
        protected void passTime(Duration time) {
            store.ticker.advance(time);
        }

        /** Nothing here takes time. */
        @Override
        protected Duration patience() {
            return Duration.ofMillis(500);
        }
    }

    static final class Sound extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore();
        }
    }

    @Test
    void aSoundStorePasses() {
        assertThat(failuresOf(Sound.class)).isEmpty();
    }

    /** Renews by key and holder, and does not look at the end. Alone, so that it does not bring back what is being released. */
    static final class RenewsTheDead extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {

                private final Set<LeaseId> granted = ConcurrentHashMap.newKeySet();

                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    Acquisition answer = super.acquire(request);
                    if (answer instanceof Granted) {
                        granted.add(request.lease());
                    }
                    return answer;
                }

                @Override
                public synchronized Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
                    Set<LeaseId> released = super.release(ids);
                    granted.removeAll(released);
                    return released;
                }

                @Override
                public Optional<LeaseId> forceRelease(String key) throws StoreException {
                    granted.removeIf(lease -> lease.key().equals(key));
                    return super.forceRelease(key);
                }

                @Override
                public synchronized Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
                    Set<LeaseId> renewed = new HashSet<>(super.renew(ids, lease).renewed());
                    for (LeaseId id : ids) {
                        if (granted.contains(id)
                                && super.acquire(
                                        AcquireRequest.once(id, lease, AcquireRequest.NO_NODE)) instanceof Granted) {
                            renewed.add(id);
                        }
                    }
                    return Renewal.decided(renewed);
                }
            };
        }
    }

    @Test
    void oneThatRenewsTheDead() {
        assertThat(failuresOf(RenewsTheDead.class)).containsExactly(
                "Renewing.aLeaseThatHasEndedIsNotRenewed_evenIfNobodyTookTheKey",
                "Renewing.ofSeveralLeasesThatHaveEndedNoneIsRenewed");
    }

    /** Releases whatever lease the key has. */
    static final class ReleasesByKey extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
                    Set<LeaseId> released = new HashSet<>();
                    for (LeaseId id : ids) {
                        if (super.find(id.key()).isPresent()) {
                            super.release(List.of(super.find(id.key()).get().id()));
                            released.add(id);
                        }
                    }
                    return released;
                }
            };
        }
    }

    @Test
    void oneThatReleasesByTheKeyAlone() {
        assertThat(failuresOf(ReleasesByKey.class)).containsExactly(
                "Naming.aHolderOfFullLengthIsKept",
                "Naming.holdersDifferByCaseAndByBlanksAtTheirEnd",
                "Passing.whoPassedTheKeyOnHasNoLeaseAnyMore",
                "Releasing.aHolderThatWasForcedOutDoesNotReleaseTheLeaseOfTheNext",
                "Releasing.aHolderWhoseLeaseHasEndedDoesNotReleaseTheLeaseOfTheNext",
                "Releasing.aLeaseThatNeverWasIsNotReleased",
                "Releasing.aStaleHolderDoesNotReleaseTheLeaseOfTheNext",
                "Releasing.ofManyLeasesOnlyThoseThatExistedAreReleased");
    }

    /** Starts to count again when the key was forced free. */
    static final class RepeatsAFence extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {

                private final Map<String, Long> fences = new ConcurrentHashMap<>();

                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    return super.acquire(request) instanceof Granted
                            ? new Granted(OptionalLong.of(fences.merge(request.lease().key(), 1L, Long::sum)))
                            : new Acquisition.Refused(LONG, false);
                }

                @Override
                public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay)
                        throws StoreException {
                    return super.pass(lease, next, mayStay).map(
                            granted -> new Granted(OptionalLong.of(fences.merge(lease.key(), 1L, Long::sum))));
                }

                @Override
                public Optional<LeaseId> forceRelease(String key) throws StoreException {
                    fences.remove(key);
                    return super.forceRelease(key);
                }

                @Override
                public Optional<StoredLease> find(String key) throws StoreException {
                    return super.find(key).map(this::numbered);
                }

                @Override
                public List<StoredLease> list(String keyPrefix) throws StoreException {
                    return super.list(keyPrefix).stream().map(this::numbered).toList();
                }

                private StoredLease numbered(StoredLease lease) {
                    return new StoredLease(
                            lease.id(), lease.acquiredAt(), lease.remaining(),
                            OptionalLong.of(fences.get(lease.id().key())));
                }

                @Override
                public boolean hasQueue() {
                    return false;
                }
            };
        }
    }

    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void oneThatRepeatsAFence() {
        assertThat(failuresOf(RepeatsAFence.class)).containsExactly("Fencing.theFenceGrowsAcrossAForcedRelease");
    }

    /** Takes a request of the current holder for a repetition, and grants it. */
    static final class GrantsTwice extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    Optional<StoredLease> found = super.find(request.lease().key());
                    return found.isPresent() && found.get().id().equals(request.lease())
                            ? new Granted(found.get().fence())
                            : super.acquire(request);
                }
            };
        }
    }

    @Test
    void oneThatGrantsAKeyToItsHolderAgain() {
        assertThat(failuresOf(GrantsTwice.class)).containsExactly(
                "Acquiring.aRequestThatArrivesTwiceIsRefused_andTheFirstCounts");
    }

    /** Looks whether the key is free, and then takes it. */
    static final class LooksFirst extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    if (request.waits() || super.find(request.lease().key()).isPresent()) {
                        return super.acquire(request);
                    }
                    pause();
                    super.find(request.lease().key())
                            .ifPresent(found -> leases.end(found.id().key(), LossReason.FORCED));
                    return super.acquire(request);
                }
            };
        }

        /** Lets the others look. */
        private static void pause() {
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void oneThatLooksFirstAndTakesTheKeyAfterwards() {
        assertThat(failuresOf(LooksFirst.class)).isSubsetOf(
                "Acquiring.ofRacingRequestsForAKeyWhoseLeaseHasEndedExactlyOneIsGranted",
                "Acquiring.ofRacingRequestsForANewKeyExactlyOneIsGranted",
                "Acquiring.ofRacingRequestsForAReleasedKeyExactlyOneIsGranted").isNotEmpty();
    }

    /** Says that a node waits, and does not remember it. */
    static final class ForgetsTheQueue extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    AcquireRequest once =
                            AcquireRequest.once(request.lease(), request.leaseTime(), request.node());
                    return super.acquire(once) instanceof Acquisition.Refused refused
                            ? new Acquisition.Refused(refused.remaining(), request.waits())
                            : super.find(request.lease().key()).map(found -> new Granted(found.fence())).orElseThrow();
                }
            };
        }
    }

    @Test
    void oneThatForgetsTheQueue() {
        assertThat(failuresOf(ForgetsTheQueue.class)).containsExactly(
                "Passing.aNodeThatReleasesAndQueuesIsBehindTheOthers",
                "Passing.aPassIsRefusedWhileAnotherNodeWaits_andNothingChanges",
                "Queueing.aForcedReleaseReservesTheKeyForTheFirstNode",
                "Queueing.aNodeKeepsItsPlaceHoweverOftenItAsks",
                "Queueing.aNodeThatDoesNotWaitCanWithdraw_andNothingChanges",
                "Queueing.aNodeThatWithdrawsBeforeItsTurnLosesItsPlace",
                "Queueing.aNodeThatWithdrawsLetsTheNextHaveItsTurn",
                "Queueing.aReleasedKeyIsReservedForTheFirstNode",
                "Queueing.nodesTakeTurnsInTheOrderInWhichTheyCame",
                "Signalling.aNodeWhoseSubscriptionIsClosedIsNotTold",
                "Signalling.theFirstNodeInTheQueueIsToldThatTheKeyIsFree");
    }

    /** Shows what it last granted, whether that has ended or not. */
    static final class FindsTheDead extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {

                private final Map<String, StoredLease> last = new ConcurrentHashMap<>();

                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    Acquisition answer = super.acquire(request);
                    super.find(request.lease().key()).ifPresent(found -> last.put(request.lease().key(), found));
                    return answer;
                }

                @Override
                public Set<LeaseId> release(Collection<LeaseId> ids) throws StoreException {
                    Set<LeaseId> released = super.release(ids);
                    released.forEach(id -> last.remove(id.key()));
                    return released;
                }

                @Override
                public boolean releaseAndQueue(LeaseId lease, String node, boolean mayStay) throws StoreException {
                    last.remove(lease.key());
                    return super.releaseAndQueue(lease, node, mayStay);
                }

                @Override
                public Optional<LeaseId> forceRelease(String key) throws StoreException {
                    last.remove(key);
                    return super.forceRelease(key);
                }

                @Override
                public Optional<StoredLease> find(String key) throws StoreException {
                    return super.find(key).or(() -> Optional.ofNullable(last.get(key)));
                }
            };
        }
    }

    @Test
    void oneThatFindsALeaseThatHasEnded() {
        assertThat(failuresOf(FindsTheDead.class)).containsExactly(
                "Finding.findShowsNoLeaseThatHasEnded",
                "Passing.aLeaseThatHasEndedIsNotPassedOn",
                "Renewing.aLeaseThatHasEndedIsNotRenewed_evenIfNobodyTookTheKey");
    }

    /** Takes the prefix for a pattern. */
    static final class ListsByPattern extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public List<StoredLease> list(String keyPrefix) throws StoreException {
                    String pattern = keyPrefix.replaceAll("[\\\\^$.|?*+(){}\\[\\]]", "\\\\$0")
                            .replace("%", ".*").replace("_", ".") + ".*";
                    return super.list("").stream().filter(lease -> lease.id().key().matches(pattern)).toList();
                }
            };
        }
    }

    @Test
    void oneThatListsByAPattern() {
        assertThat(failuresOf(ListsByPattern.class)).containsExactly("Finding.listTakesWildcardsLiterally");
    }

    /** Compares keys as many a collation does. */
    static final class IgnoresCase extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Acquisition acquire(AcquireRequest request) throws StoreException {
                    for (StoredLease lease : super.list("")) {
                        String key = lease.id().key();
                        if (key.equalsIgnoreCase(request.lease().key()) && !key.equals(request.lease().key())) {
                            return new Acquisition.Refused(lease.remaining(), false);
                        }
                    }
                    return super.acquire(request);
                }
            };
        }
    }

    @Test
    void oneThatIgnoresCase() {
        assertThat(failuresOf(IgnoresCase.class)).containsExactly(
                "Finding.listDiffersByCase", "Naming.keysDifferByCase");
    }

    /** Sets the end of a lease to what the last renewal asks for. */
    static final class Shortens extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
                    Renewal renewal = super.renew(ids, lease);
                    for (LeaseId id : renewal.renewed()) {
                        super.release(List.of(id));
                        super.acquire(AcquireRequest.once(id, lease, AcquireRequest.NO_NODE));
                    }
                    return renewal;
                }
            };
        }
    }

    @Test
    void oneWhoseRenewalStartsALeaseAnew() {
        assertThat(failuresOf(Shortens.class)).contains(
                "Fencing.theFenceIsThatOfTheGrant_alsoAfterARenewal",
                "Renewing.aRenewalNeverShortensALease");
    }

    /** Grants less than was asked for. */
    private static class CappingStore extends RefinedStore {

        static Duration capped(Duration asked) {
            return asked.compareTo(LONG) < 0 ? asked : LONG;
        }

        private static AcquireRequest capped(AcquireRequest request) {
            return new AcquireRequest(
                    request.lease(), capped(request.leaseTime()), request.node(), request.waits(), request.polls());
        }

        @Override
        public Acquisition acquire(AcquireRequest request) throws StoreException {
            return super.acquire(capped(request));
        }

        @Override
        public Renewal renew(Collection<LeaseId> ids, Duration lease) throws StoreException {
            return super.renew(ids, capped(lease));
        }

        @Override
        public Optional<Granted> pass(LeaseId lease, AcquireRequest next, boolean mayStay) throws StoreException {
            return super.pass(lease, capped(next), mayStay);
        }
    }

    static final class Caps extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            class Frank extends CappingStore implements ShorteningStore {
                @Override
                public Duration granted(LeaseId lease, Duration asked) {
                    return capped(asked);
                }
            }
            return new Frank();
        }
    }

    @Test
    void oneThatSaysThatItGrantsLessPasses() {
        assertThat(failuresOf(Caps.class)).isEmpty();
    }

    static final class CapsInSecret extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new CappingStore();
        }
    }

    @Test
    void oneThatGrantsLessAndDoesNotSaySo() {
        assertThat(failuresOf(CapsInSecret.class)).containsExactly(
                "Finding.findShowsTheLease",
                "Renewing.aRenewalLetsTheLeaseRunLonger",
                "Renewing.aRenewalNeverShortensALease",
                "Renewing.anotherNodeCanRenewTheLease",
                "Renewing.ofManyLeasesThoseThatExistAreRenewed_andTheOthersAreLost");
    }

    /** Takes each lease for running a little longer than it does. */
    static final class RoundsUp extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Optional<StoredLease> find(String key) throws StoreException {
                    return super.find(key).map(this::rounded);
                }

                @Override
                public List<StoredLease> list(String keyPrefix) throws StoreException {
                    return super.list(keyPrefix).stream().map(this::rounded).toList();
                }

                private StoredLease rounded(StoredLease lease) {
                    return new StoredLease(
                            lease.id(), lease.acquiredAt(), lease.remaining().plusMillis(1), lease.fence());
                }
            };
        }
    }

    @Test
    void oneThatRoundsUpPasses() {
        assertThat(failuresOf(RoundsUp.class)).isEmpty();
    }

    /** Sends every loss to everybody, also those of other tests. */
    static final class TellsOfAll extends OnRefinedStore {
        @Override
        RefinedStore createStore() {
            return new RefinedStore() {
                @Override
                public Registration subscribe(Listener listener) {
                    listener.lost(Set.of(new LeaseId("another::key", "another")), LossReason.DISCONNECTED);
                    return super.subscribe(listener);
                }
            };
        }
    }

    @Test
    void oneThatSendsAllLossesToAllPasses() {
        assertThat(failuresOf(TellsOfAll.class)).isEmpty();
    }

    /** Runs the contract, and returns which of its tests fail. */
    private static Set<String> failuresOf(Class<? extends StoreContract> contract) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(contract)).build();
        Set<String> failed = new TreeSet<>();
        Set<String> succeeded = new HashSet<>();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                switch (result.getStatus()) {
                    case FAILED -> failed.add(nameOf(test));
                    case SUCCESSFUL -> succeeded.add(nameOf(test));
                    case ABORTED -> {
                    } // The store cannot do that, and does not say that it could.
                }
            }
        });
        assertThat(succeeded).hasSizeGreaterThan(30);
        return failed;
    }

    /** Returns the part of the contract, and the name of the test in it. */
    private static String nameOf(TestIdentifier test) {
        String id = test.getUniqueId();
        return id.replaceAll(".*\\[nested-class:(\\w+)]/\\[method:(\\w+)\\(\\)]", "$1.$2");
    }
}
