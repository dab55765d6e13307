// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HolderNamesTest {

    private final HolderNames names = new HolderNames();

    @Test
    void aNameSaysThreadAndProcessAndEndsInSomethingRandom() {
        Thread thread = named("worker");

        assertThat(names.next(thread))
                .startsWith("worker-" + thread.threadId() + "@")
                .contains("/" + ProcessHandle.current().pid() + "-")
                .matches(".*-[0-9a-f]{32}");
    }

    @Test
    void noTwoAcquisitionsOfOneThreadShareAName() {
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(names.next(Thread.currentThread()))).isTrue();
        }
    }

    @Test
    void noTwoThreadsGetTheSameRandomPart() {
        Set<String> seen = ConcurrentHashMap.newKeySet();

        boolean allNew = IntStream.range(0, 100_000)
                .parallel()
                .mapToObj(i -> names.next(Thread.currentThread()))
                .allMatch(name -> seen.add(name.substring(name.length() - 32)));

        assertThat(allNew).isTrue();
    }

    @Test
    void halfOfTheRandomPartIsTheManagersAndHalfIsTheAcquisitions() {
        String name = names.next(Thread.currentThread());
        String next = names.next(Thread.currentThread());
        String elsewhere = new HolderNames().next(Thread.currentThread());
        int half = name.length() - 16;

        assertThat(next.substring(0, half)).isEqualTo(name.substring(0, half));
        assertThat(next.substring(half)).isNotEqualTo(name.substring(half));
        assertThat(elsewhere.substring(half - 16, half)).isNotEqualTo(name.substring(half - 16, half));
        assertThat(elsewhere.substring(half)).isNotEqualTo(name.substring(half));
    }

    @Test
    void twoManagersOfOneProcessShareNoNames() {
        Thread thread = named("worker");

        assertThat(names.next(thread)).isNotEqualTo(new HolderNames().next(thread));
        assertThat(names.node()).isNotEqualTo(new HolderNames().node()).isNotEqualTo(names.node());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileNames")
    void anyThreadGetsAShortNameOfPlainCharacters(String what, String hostile) {
        String name = names.next(named(hostile));

        assertThat(name).matches("[!-~]+-[0-9a-f]{32}");
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(256);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileNames")
    void whatIsShownKeepsTheRestAndHidesTheRandomPart(String what, String hostile) {
        String name = names.next(named(hostile));

        String shown = HolderNames.readable(name);

        assertThat(name).startsWith(shown + "-");
        assertThat(name.substring(shown.length() + 1)).matches("[0-9a-f]{32}");
        assertThat(shown).endsWith("/" + ProcessHandle.current().pid());
    }

    static Stream<Arguments> hostileNames() {
        return Stream.of(
                arguments("10,000 characters", "x".repeat(10_000)),
                arguments("10,000 emoji", "\uD83D\uDD12".repeat(10_000)),
                arguments("half an emoji", "a\uD83D"),
                arguments("NUL", "a\0b"),
                arguments("line breaks", "a\r\nb"),
                arguments("blanks", "   "),
                arguments("accents", "Üñï"),
                arguments("dashes and signs", "-a-@-/-"),
                arguments("nothing", ""));
    }

    @Test
    void aVirtualThreadWithoutANameIsCalledThread() throws InterruptedException {
        Thread nameless = Thread.ofVirtual().unstarted(() -> {});

        assertThat(nameless.getName()).isEmpty();
        assertThat(names.next(nameless)).startsWith("thread-" + nameless.threadId() + "@");
    }

    @Test
    void twoThreadsOfOneNameCanBeToldApart() {
        String one = HolderNames.readable(names.next(named("worker")));
        String other = HolderNames.readable(names.next(named("worker")));

        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void aNameThatIsNotOursIsShownAsFarAsItsLastDash() {
        assertThat(HolderNames.readable("main@host-secret")).isEqualTo("main@host");
        assertThat(HolderNames.readable("main@host")).isEqualTo("main@host");
        assertThat(HolderNames.readable("")).isEmpty();
    }

    private static Thread named(String name) {
        return Thread.ofPlatform().name(name).unstarted(() -> {});
    }
}
