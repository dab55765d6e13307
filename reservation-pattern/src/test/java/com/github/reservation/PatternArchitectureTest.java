// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may know whom among claims, expiration and outbox, and what they may know of the locks. */
class PatternArchitectureTest extends HouseRules {

    /** The whole of what one jar takes from the other: the class path has no qualified exports that would say so. */
    private static final String[] OF_THE_LOCKS = {
            DOOR, BORDER, DOOR + ".jdbc", BASE, SQL, METERS};

    private static final String[] OURS = {
            DOOR + ".claim..", DOOR + ".expiration..", DOOR + ".outbox..", CORE + ".claim..", CORE + ".expiration..",
            CORE + ".outbox.."};

    @Test
    void theRulesLookAtSomething() {
        assertThat(MAIN)
                .extracting(JavaClass::getPackageName)
                .contains(DOOR + ".claim", DOOR + ".claim.store", CORE + ".claim.jdbc", CORE + ".outbox");
    }

    @Test
    void ofTheLocksOnlyTheDoorTheBorderAndTheCellarAreKnown() {
        check(classes()
                .should()
                .onlyDependOnClassesThat(
                        areIn(EVERYWHERE).or(areIn(OURS)).or(areIn(OF_THE_LOCKS)).or(areIn(MICROMETER))));
    }

    /** So that a stranger can write a store with nothing but its documentation. */
    @Test
    void theBorderOfClaimsKnowsOnlyClaims() {
        check(classes()
                .that()
                .resideInAPackage(DOOR + ".claim.store")
                .should()
                .onlyDependOnClassesThat(
                        areIn(EVERYWHERE).or(areIn(DOOR + ".claim", DOOR + ".claim.store", BORDER, DOOR))));
    }

    @Test
    void whatIsKeptInTablesDoesNotSeeEachOther() {
        for (String pillar : new String[]{"claim", "expiration", "outbox"}) {
            check(noClasses()
                    .that()
                    .resideInAPackage(CORE + ".*.jdbc")
                    .and(not(resideInAPackage(CORE + "." + pillar + ".jdbc")))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(CORE + "." + pillar + ".jdbc"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim", "outbox"})
    void aPillarKnowsNoTableOfItsOwn(String pillar) {
        check(noClasses()
                .that()
                .resideInAPackage(CORE + "." + pillar)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + "." + pillar + ".jdbc"));
    }

    /** A source has a table, or something else that a user implements: so the table is below the job. */
    @Test
    void theTableWhoseRowsExpireKnowsNothingOfTheJob() {
        check(noClasses()
                .that()
                .resideInAPackage(CORE + ".expiration.jdbc")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".expiration"));
    }

    @Test
    void nothingKnowsMicrometer() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage(MICROMETER));
    }

    @Test
    void thereIsNoAbstractClass() {
        check(classes().that().areNotInterfaces().and().areNotEnums().should().notHaveModifier(JavaModifier.ABSTRACT));
    }

    /** The clock of the database decides which rows expire and which events are due. A run only says when it started. */
    @Test
    void expirationAndTheOutboxDoNotReadTheTimeOfDay() {
        check(noClasses()
                .that(resideInAnyPackage(CORE + ".expiration..", CORE + ".outbox..")
                        .and(not(isNamed(CORE + ".expiration.Tally"))))
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Ticker.class, "epochMillis"));
    }
}
