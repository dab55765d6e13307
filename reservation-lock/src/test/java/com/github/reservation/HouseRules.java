// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What main code never does, in either of our jars. The rules hold for packages that are still to come, too. */
public abstract class HouseRules {

    protected static final String DOOR = "com.github.reservation";
    protected static final String CORE = DOOR + ".internal";
    protected static final String BASE = CORE + ".base";
    protected static final String SQL = CORE + ".sql";
    protected static final String METERS = CORE + ".metrics";
    protected static final String BORDER = DOOR + ".store";
    protected static final String MICROMETER = "io.micrometer..";

    /** The classes of the jar that is tested. */
    protected static final JavaClasses MAIN =
            new ClassFileImporter().importPath(Path.of(System.getProperty("reservation.classes")));

    /** What every class may know. */
    protected static final String[] EVERYWHERE = {"java..", "javax.sql..", "org.jspecify.."};

    @Test
    void theRoomsSeeEachOtherOneWay() {
        check(slices().matching(CORE + ".(**)").should().beFreeOfCycles());
    }

    @Test
    void noFieldIsOpenToChangeFromOutside() {
        check(fields().that().areProtected().or().arePublic().should().beFinal());
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

    @Test
    void everyThreadIsStartedInOnePlace_andNobodyJoinsOne() {
        check(noClasses()
                .that(not(isNamed(BASE + ".Threads")))
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
    protected static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }

    /** The builders belong to the door, although each lives in the package of its backend. */
    protected static DescribedPredicate<JavaClass> isABuilder() {
        return assignableTo(MeasuredBuilder.class).and(simpleNameEndingWith("Builder"));
    }

    /** The class of that name, or one inside it. */
    protected static DescribedPredicate<JavaClass> isNamed(String name) {
        return DescribedPredicate.describe(
                "is " + name, type -> type.getName().equals(name) || type.getName().startsWith(name + "$"));
    }

    /** In one of the packages, or an array of what is. */
    protected static DescribedPredicate<JavaClass> areIn(String... packages) {
        DescribedPredicate<JavaClass> inThem = resideInAnyPackage(packages);
        return DescribedPredicate.describe(
                inThem.getDescription(),
                type -> type.getBaseComponentType().isPrimitive() || inThem.test(type.getBaseComponentType()));
    }
}
