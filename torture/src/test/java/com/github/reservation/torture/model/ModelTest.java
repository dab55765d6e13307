// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** TLC checks the models of the rules, and finds each bug that is planted in them. Two runs at a time, because TLC has one worker. */
@Tag("long")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ModelTest {

    private static final ExecutorService RUNS = Executors.newFixedThreadPool(2);

    private static final Map<Model, Future<Tlc.Result>> MODELS = new LinkedHashMap<>();
    private static final Map<PlantedBug, Future<Tlc.Result>> BUGS = new LinkedHashMap<>();

    /** The longest runs first. */
    @BeforeAll
    static void start() {
        for (Model model : Model.values()) {
            MODELS.put(model, RUNS.submit((Callable<Tlc.Result>) model::check));
        }
        for (Model model : Model.values()) {
            model.bugs().forEach(bug -> BUGS.put(bug, RUNS.submit(() -> model.check(bug))));
        }
    }

    @AfterAll
    static void stop() {
        RUNS.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void rulesHoldInAllStates(Model model) throws Exception {
        Tlc.Result result = MODELS.get(model).get();

        assertThat(result.violated()).as(result.output()).isEmpty();
        assertThat(result.states()).as("states: with few of them, the check shows little")
                .isGreaterThan(model.leastStates());
    }

    static Stream<Arguments> bugs() {
        return Stream.of(Model.values())
                .flatMap(model -> model.bugs().stream().map(bug -> Arguments.of(model, bug.name(), bug)));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("bugs")
    void plantedBugIsFound(Model model, String name, PlantedBug bug) throws Exception {
        Tlc.Result result = BUGS.get(bug).get();

        assertThat(result.violated()).as("what TLC found violated with " + name).isEqualTo(bug.invariant());
    }

    @Test
    void eachSwitchIsTurnedOn() throws Exception {
        for (Model model : Model.values()) {
            assertThat(model.bugs()).extracting(PlantedBug::name).containsExactlyInAnyOrderElementsOf(model.switches());
        }
    }
}
