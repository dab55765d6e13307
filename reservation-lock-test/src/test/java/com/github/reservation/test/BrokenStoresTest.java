// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.store.LeaseStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The contract finds what is wrong with a store: exactly the tests fail that name what it breaks. */
@SideBySide
class BrokenStoresTest {

    private static final String STORE = "store";

    @ParameterizedTest
    @ValueSource(classes = {
            RefinedStore.class, BrokenChanges.Caps.class, BrokenAnswers.RoundsUp.class, BrokenAnswers.TellsOfAll.class})
    void aSoundStorePasses(Class<? extends RefinedStore> store) {
        assertThat(failuresOf(store)).isEmpty();
    }

    private static Stream<Arguments> broken() {
        return Stream.of(
                finds(BrokenChanges.RenewsTheDead.class,
                        "Renewing.aLeaseThatHasEndedIsNotRenewed_evenIfNobodyTookTheKey",
                        "Renewing.ofSeveralLeasesThatHaveEndedNoneIsRenewed"),
                finds(BrokenChanges.ReleasesByKey.class,
                        "Naming.aHolderOfFullLengthIsKept",
                        "Naming.holdersDifferByCaseAndByBlanksAtTheirEnd",
                        "Passing.whoPassedTheKeyOnHasNoLeaseAnyMore",
                        "Releasing.aHolderThatWasForcedOutDoesNotReleaseTheLeaseOfTheNext",
                        "Releasing.aHolderWhoseLeaseHasEndedDoesNotReleaseTheLeaseOfTheNext",
                        "Releasing.aLeaseThatNeverWasIsNotReleased",
                        "Releasing.aStaleHolderDoesNotReleaseTheLeaseOfTheNext",
                        "Releasing.ofManyLeasesOnlyThoseThatExistedAreReleased"),
                finds(BrokenChanges.RepeatsAFence.class,
                        "Fencing.theFenceGrowsAcrossAForcedRelease"),
                finds(BrokenChanges.GrantsTwice.class,
                        "Acquiring.aRequestThatArrivesTwiceIsRefused_andTheFirstCounts"),
                finds(BrokenChanges.CapsInSecret.class,
                        "Finding.findShowsTheLease",
                        "Renewing.aRenewalLetsTheLeaseRunLonger",
                        "Renewing.aRenewalNeverShortensALease",
                        "Renewing.anotherNodeCanRenewTheLease",
                        "Renewing.ofManyLeasesThoseThatExistAreRenewed_andTheOthersAreLost"),
                finds(BrokenAnswers.ForgetsTheQueue.class,
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
                        "Signalling.theFirstNodeInTheQueueIsToldThatTheKeyIsFree"),
                finds(BrokenAnswers.FindsTheDead.class,
                        "Finding.findShowsNoLeaseThatHasEnded",
                        "Passing.aLeaseThatHasEndedIsNotPassedOn",
                        "Renewing.aLeaseThatHasEndedIsNotRenewed_evenIfNobodyTookTheKey"),
                finds(BrokenAnswers.ListsByPattern.class,
                        "Finding.listTakesWildcardsLiterally"),
                finds(BrokenAnswers.IgnoresCase.class,
                        "Finding.listDiffersByCase",
                        "Naming.keysDifferByCase"));
    }

    private static Arguments finds(Class<? extends RefinedStore> store, String... failing) {
        return arguments(store, List.of(failing));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void exactlyTheTestsFailThatNameWhatIsBroken(Class<? extends RefinedStore> store, List<String> failing) {
        assertThat(failuresOf(store)).containsExactlyElementsOf(failing);
    }

    @Test
    void oneThatLooksFirstAndTakesTheKeyAfterwardsFailsInARace() {
        assertThat(failuresOf(BrokenChanges.LooksFirst.class)).isSubsetOf(
                "Acquiring.ofRacingRequestsForAKeyWhoseLeaseHasEndedExactlyOneIsGranted",
                "Acquiring.ofRacingRequestsForANewKeyExactlyOneIsGranted",
                "Acquiring.ofRacingRequestsForAReleasedKeyExactlyOneIsGranted").isNotEmpty();
    }

    @Test
    void oneWhoseRenewalStartsALeaseAnewFailsInMoreThanOneWay() {
        assertThat(failuresOf(BrokenChanges.Shortens.class)).contains(
                "Fencing.theFenceIsThatOfTheGrant_alsoAfterARenewal",
                "Renewing.aRenewalNeverShortensALease");
    }

    /** The contract on a store in hand-driven time, which a parameter names. */
    @ExtendWith(NamedStore.class)
    static final class OnRefinedStore extends StoreContract {

        private final RefinedStore store;

        OnRefinedStore(RefinedStore store) {
            this.store = store;
        }

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

    /** Makes the store that a parameter names. */
    static final class NamedStore implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == RefinedStore.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            String name = context.getConfigurationParameter(STORE).orElseThrow();
            try {
                return Class.forName(name).getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                throw new ParameterResolutionException("Could not make a " + name, e);
            }
        }
    }

    /** Runs the contract, and returns which of its tests fail. */
    private static Set<String> failuresOf(Class<? extends RefinedStore> store) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(OnRefinedStore.class))
                        .configurationParameter(STORE, store.getName()).build();
        Set<String> failed = new TreeSet<>();
        Set<String> succeeded = new HashSet<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
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
