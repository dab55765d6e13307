// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Who may know whom, and what main code never does. The rules hold for packages that are still to come, too. */
class ArchitectureTest {

    private static final String DOOR = "com.github.reservation";
    private static final String CLAIMS = DOOR + ".claim";
    private static final String OUTBOX = DOOR + ".outbox";
    private static final String CORE = DOOR + ".internal";
    private static final String BORDER = CORE + ".store";
    private static final String SQL = CORE + ".sql";
    private static final String MICROMETER = "io.micrometer..";
    private static final String[] EVERYWHERE = {"java..", "javax.sql..", "org.jspecify.."};

    /** The leaves, with what else each may know: a leaf that it builds on, the client of its store. */
    private static final Map<String, Set<String>> LEAVES = Map.of(
            leaf("memory"), Set.of(),
            leaf("jdbc"), Set.of(SQL),
            leaf("oracle"), Set.of(SQL, leaf("jdbc")),
            leaf("hazelcast"), Set.of("com.hazelcast.."));

    private static final Set<String> LEAF_PACKAGES = LEAVES.keySet();

    private static final JavaClasses MAIN =
            new ClassFileImporter().importPath(Path.of(System.getProperty("reservation.classes")));

    private static String leaf(String name) {
        return DOOR + ".[" + name + "|internal." + name + "]..";
    }

    @Test
    void theRulesLookAtSomething() {
        assertThat(MAIN)
                .extracting(JavaClass::getPackageName)
                .contains(DOOR, CORE, BORDER, DOOR + ".memory", CORE + ".memory");
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
                .that()
                .resideInAPackage(leaf)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others.toArray(String[]::new)));
    }

    @ParameterizedTest
    @FieldSource("LEAF_PACKAGES")
    void aLeafKnowsOfTheCoreOnlyTheBorder(String leaf) {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.addAll(Set.of(leaf, DOOR, CLAIMS, OUTBOX, BORDER + ".."));
        known.addAll(LEAVES.get(leaf));

        check(classes()
                .that(resideInAnyPackage(leaf).and(not(isABuilder())))
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new))));
    }

    @Test
    void theBorderKnowsOnlyTheDoor() {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.addAll(Set.of(BORDER + "..", DOOR, CLAIMS, OUTBOX));

        check(classes()
                .that()
                .resideInAPackage(BORDER + "..")
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new))));
    }

    /** So that claims and expiration can use it as locks do. */
    @Test
    void sqlKnowsNoLeaseAndNoLock() {
        Set<String> known = new TreeSet<>(Set.of(EVERYWHERE));
        known.add(SQL);

        assertThat(MAIN)
                .extracting(JavaClass::getPackageName)
                .contains(SQL, CORE + ".jdbc.lock", CORE + ".oracle");
        check(classes()
                .that()
                .resideInAPackage(SQL)
                .should()
                .onlyDependOnClassesThat(areIn(known.toArray(String[]::new))
                        .or(isNamed(BORDER + ".Log"))
                        .or(isNamed(BORDER + ".Threads"))
                        .or(isNamed(BORDER + ".StoreException"))));
    }

    @Test
    void theRoomsOfTheCoreSeeEachOtherOneWay() {
        check(slices().matching(CORE + ".(**)").should().beFreeOfCycles());
    }

    @Test
    void whatIsKeptInTablesDoesNotSeeEachOther() {
        check(slices().matching(CORE + ".jdbc.(*)..").should().notDependOnEachOther());
    }

    /** {@code LockManager.of} builds a manager, too: on a provider that is not ours. */
    @Test
    void nothingSeesAPillarButTheBuilders() {
        check(noClasses()
                .that(not(isABuilder())
                        .and(not(isNamed(DOOR + ".lease.LockManager")))
                        .and(not(resideInAnyPackage(CORE + ".lock"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".lock"));
        check(noClasses()
                .that(not(isABuilder()).and(not(resideInAnyPackage(CORE + ".claim"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".claim"));
        check(noClasses()
                .that(not(isABuilder()).and(not(resideInAnyPackage(CORE + ".outbox"))))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".outbox"));
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
                .that(not(isNamed(CORE + ".metrics.MeterRegistries")))
                .and(not(isNamed(CORE + ".metrics.ReservationMetrics")))
                .and(not(isNamed(CORE + ".metrics.SharedGauge")))
                .and(not(isNamed(CORE + ".metrics.ClaimMetrics")))
                .and(not(isNamed(CORE + ".metrics.ExpirationMetrics")))
                .and(not(isNamed(CORE + ".metrics.LatestGauges")))
                .and(not(isNamed(CORE + ".metrics.OutboxMetrics")))
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
    void noFieldIsOpenToChangeFromOutside() {
        check(fields().that().areProtected().or().arePublic().should().beFinal());
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

    @Test
    void noNameSaysNothing() {
        check(noClasses().should().haveNameMatching(".*(Impl|Helper|Helpers|Util|Utils|Base)(\\$.*)?"));
    }

    @Test
    void noMethodIsSynchronized() {
        check(methods().should().notHaveModifier(JavaModifier.SYNCHRONIZED));
    }

    @Test
    void logsGoThroughTheJdksOwnInterface() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "org.slf4j..", "org.apache..", "ch.qos.."));
    }

    @Test
    void nothingIsPrintedButTheDdlThatSomebodyAskedFor() {
        check(noClasses()
                .that(not(isNamed(DOOR + ".jdbc.Ddl")))
                .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS));
    }

    @Test
    void nobodyButTheTickersReadsTheTimeOfDay() {
        check(noClasses()
                .that()
                .areNotAssignableTo(Ticker.class)
                .should()
                .callMethod(System.class, "currentTimeMillis"));
    }

    /** The clock of the database decides which rows expire and which events are due. A run only says when it started. */
    @Test
    void expirationAndTheOutboxDoNotReadTheTimeOfDay() {
        check(noClasses()
                .that(resideInAnyPackage(
                        CORE + ".expiration..", CORE + ".jdbc.expiration..", CORE + ".outbox..",
                        CORE + ".jdbc.outbox..")
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

    @Test
    void everyThreadIsStartedInOnePlace_andNobodyJoinsOne() {
        check(noClasses()
                .that(not(isNamed(BORDER + ".Threads")))
                .should()
                .callMethod(Thread.class, "ofVirtual")
                .orShould()
                .callMethod(Thread.class, "ofPlatform")
                .orShould()
                .callMethod(Thread.class, "startVirtualThread", Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .orShould()
                .callConstructor(Thread.class, Runnable.class, String.class));
        check(noClasses().should().callMethod(Thread.class, "join"));
    }

    /** A rule may find nobody to look at: some packages are still to come. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }

    private static String[] allLeaves() {
        return LEAF_PACKAGES.toArray(String[]::new);
    }

    /** The builders belong to the door, although each lives in the package of its backend. */
    private static DescribedPredicate<JavaClass> isABuilder() {
        return assignableTo(MeasuredBuilder.class).and(simpleNameEndingWith("Builder"));
    }

    /** The class of that name, or one inside it. */
    private static DescribedPredicate<JavaClass> isNamed(String name) {
        return DescribedPredicate.describe(
                "is " + name, type -> type.getName().equals(name) || type.getName().startsWith(name + "$"));
    }

    /** In one of the packages, or an array of what is. */
    private static DescribedPredicate<JavaClass> areIn(String... packages) {
        DescribedPredicate<JavaClass> inThem = resideInAnyPackage(packages);
        return DescribedPredicate.describe(
                inThem.getDescription(),
                type -> type.getBaseComponentType().isPrimitive() || inThem.test(type.getBaseComponentType()));
    }
}
