// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who may know whom among the locks. */
class ArchitectureTest extends HouseRules {

    private static final String LEASES = DOOR + ".lease";

    /** The leaves, with what else each may know: a leaf that it builds on, the client of its store. */
    private static final Map<String, Set<String>> LEAVES = Map.of(
            leaf("memory"), Set.of(),
            leaf("jdbc"), Set.of(SQL),
            leaf("oracle"), Set.of(SQL, leaf("jdbc")),
            leaf("bridge"), Set.of(LEASES, leaf("oracle"), SQL),
            leaf("hazelcast"), Set.of("com.hazelcast.."));

    private static final Set<String> LEAF_PACKAGES = LEAVES.keySet();

    private static String leaf(String name) {
        return DOOR + ".[" + name + "|internal." + name + "]..";
    }

    @Test
    void theRulesLookAtSomething() {
        assertThat(MAIN)
                .extracting(JavaClass::getPackageName)
                .contains(
                        DOOR, CORE, BORDER, BASE, SQL, DOOR + ".memory", CORE + ".memory", CORE + ".jdbc",
                        CORE + ".bridge");
        assertThat(MAIN).extracting(JavaClass::getSimpleName).noneMatch(name -> name.endsWith("Test"));
    }

    @Test
    void theCoreKnowsNoLeaf() {
        check(noClasses()
                .that(resideInAnyPackage(CORE + "..").and(not(resideInAnyPackage(allLeaves()))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(allLeaves()));
    }

    @ParameterizedTest
    @FieldSource("LEAF_PACKAGES")
    void aLeafKnowsNoOtherLeaf(String leaf) {
        Set<String> others = new TreeSet<>(LEAF_PACKAGES);
        others.remove(leaf);
        others.removeAll(LEAVES.get(leaf));

        check(noClasses()
                .that(resideInAnyPackage(leaf).and(not(isABuilder())))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.toArray(String[]::new)));
    }

    @ParameterizedTest
    @FieldSource("LEAF_PACKAGES")
    void aLeafKnowsOfTheCoreOnlyTheBorderAndTheCellar(String leaf) {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.addAll(Set.of(leaf, DOOR, BORDER, BASE));
        known.addAll(LEAVES.get(leaf));

        check(classes()
                .that(resideInAnyPackage(leaf).and(not(isABuilder())))
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new))));
    }

    /** So that a stranger can write a store with nothing but its documentation. Its builder belongs to the door. */
    @Test
    void theBorderKnowsOnlyTheDoor() {
        check(classes()
                .that(resideInAnyPackage(BORDER).and(not(isABuilder())))
                .should()
                .onlyDependOnClassesThat(areIn("java..", "org.jspecify..", BORDER, DOOR)));
    }

    @Test
    void theCellarKnowsNoRoom() {
        check(classes()
                .that()
                .resideInAPackage(BASE)
                .should()
                .onlyDependOnClassesThat(areIn("java..", "org.jspecify..", BASE, BORDER, DOOR)));
    }

    /** So that claims and expiration can use it as locks do. */
    @Test
    void sqlKnowsNoLeaseAndNoLock() {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.addAll(Set.of(SQL, BASE));

        check(classes()
                .that()
                .resideInAPackage(SQL)
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new)).or(isNamed(BORDER + ".StoreException"))));
    }

    /** {@code LockManager.of} builds a manager, too: on a provider that is not ours. */
    @Test
    void nothingSeesTheLocksButTheBuilders() {
        check(noClasses()
                .that(not(isABuilder())
                        .and(not(isNamed(LEASES + ".LockManager")))
                        .and(not(resideInAnyPackage(CORE + ".lock"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".lock"));
    }

    @Test
    void outsideTheLeavesThereIsNoForeignTypeButThoseOfTheMeters() {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.addAll(Set.of(DOOR + "..", MICROMETER));

        check(classes()
                .that(not(resideInAnyPackage(allLeaves())))
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new))));
    }

    @Test
    void onlyTheMetersKnowMicrometer() {
        check(noClasses()
                .that(not(isNamed(METERS + ".MicrometerInstruments")))
                .and(not(isNamed(METERS + ".MicrometerInstruments$SharedGauge")))
                .and(not(isNamed(METERS + ".MicrometerInstruments$GaugeId")))
                .and(not(isNamed(METERS + ".MicrometerInstruments$LatestGauge")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(MICROMETER));
    }

    @Test
    void thereIsOneAbstractClass() {
        check(classes()
                .that()
                .haveModifier(JavaModifier.ABSTRACT)
                .and()
                .areNotInterfaces()
                .and()
                .areNotEnums()
                .should()
                .be(AbstractReservationManagerBuilder.class));
    }

    @Test
    void theBuildersBaseIsSetUpAndNotOverridden() {
        check(methods()
                .that()
                .areDeclaredIn(AbstractReservationManagerBuilder.class)
                .and()
                .areProtected()
                .should()
                .beFinal());
    }

    private static String[] allLeaves() {
        return LEAF_PACKAGES.toArray(String[]::new);
    }
}
