// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.waiting;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.contract.ChildJvm;
import com.github.reservation.store.AcquireRequest;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeTest {

    private final Node node = new Node(null);

    @Test
    void aNameSaysThreadAndProcessAndEndsInSomethingRandom() {
        Thread thread = named("worker");

        assertThat(node.nextHolder(thread))
                .startsWith("worker-" + thread.threadId() + "@")
                .contains("/" + ProcessHandle.current().pid() + "-")
                .matches(".*-[0-9a-f]{32}");
    }

    @Test
    void noTwoAcquisitionsOfOneThreadShareAName() {
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(node.nextHolder(Thread.currentThread()))).isTrue();
        }
    }

    @Test
    void noTwoThreadsGetTheSameRandomPart() {
        Set<String> seen = ConcurrentHashMap.newKeySet();

        boolean allNew = IntStream.range(0, 100_000)
                .parallel()
                .mapToObj(i -> node.nextHolder(Thread.currentThread()))
                .allMatch(name -> seen.add(name.substring(name.length() - 32)));

        assertThat(allNew).isTrue();
    }

    @Test
    void eachNameDrawsItsRandomPartWhenItIsNeeded_soThatClonesOfASnapshotShareNone() {
        String classPath = ChildJvm.classPath().collect(joining(File.pathSeparator));
        List<String> arguments = Stream.concat(
                ChildJvm.SMALL.stream(), Stream.of("-classpath", classPath, DrawnBytes.class.getName()))
                .toList();
        try (ChildJvm jvm = new ChildJvm(ChildJvm.newDirectory(), arguments)) {
            for (int i = 0; i < DrawnBytes.NAMES; i++) {
                assertThat(jvm.answer()).isEqualTo("16");
            }
        }
    }

    @Test
    void twoNodesOfOneProcessHaveDifferentNames() {
        assertThat(new Node(null).name()).isNotEqualTo(new Node(null).name()).hasSameSizeAs(AcquireRequest.NO_NODE);
    }

    @Test
    void aNodeThatNeverWaitedHasNoNameYet() {
        assertThat(node.nameIfWaited()).isEqualTo(AcquireRequest.NO_NODE);

        String name = node.name();
        assertThat(node.name()).isEqualTo(name);
        assertThat(node.nameIfWaited()).isEqualTo(name);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileNames")
    void anyThreadGetsAShortNameOfPlainCharacters(String what, String hostile) {
        String name = node.nextHolder(named(hostile));

        assertThat(name).matches("[!-~]+-[0-9a-f]{32}");
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(256);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostileNames")
    void whatIsShownKeepsTheRestAndHidesTheRandomPart(String what, String hostile) {
        String name = node.nextHolder(named(hostile));

        String shown = Node.readable(name);

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
        assertThat(node.nextHolder(nameless)).startsWith("thread-" + nameless.threadId() + "@");
    }

    @Test
    void twoThreadsOfOneNameCanBeToldApart() {
        String one = Node.readable(node.nextHolder(named("worker")));
        String other = Node.readable(node.nextHolder(named("worker")));

        assertThat(one).isNotEqualTo(other);
    }

    @Test
    void aNameThatIsNotOursIsShownAsFarAsItsLastDash() {
        assertThat(Node.readable("main@host-secret")).isEqualTo("main@host");
        assertThat(Node.readable("main@host")).isEqualTo("main@host");
        assertThat(Node.readable("")).isEmpty();
    }

    private static Thread named(String name) {
        return Thread.ofPlatform().name(name).unstarted(() -> {});
    }
}
