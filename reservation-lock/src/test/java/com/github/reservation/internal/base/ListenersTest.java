// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.LoggedWarnings;
import com.github.reservation.Registration;
import com.github.reservation.Ticker;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The one rule for listeners that throw. */
class ListenersTest {

    private final List<String> received = new CopyOnWriteArrayList<>();

    static Stream<Listeners<String>> allKinds() {
        return Stream.of(Listeners.onThisThread(), Listeners.onOtherThreads(Ticker.system(), 1, 100));
    }

    /** Fails on an event that begins with "bad". */
    private final class Picky {

        void take(String event) {
            received.add(event);
            if (event.startsWith("bad")) {
                throw new AssertionError("for the test");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("allKinds")
    void aListenerThatThrowsIsWarnedOfOnce_andAgainAfterItHasWorked(Listeners<String> listeners) {
        listeners.add(new Picky(), new Picky()::take);
        List<String> events = List.of("bad 1", "bad 2", "bad 3", "good", "bad 4", "bad 5");
        try (LoggedWarnings warnings = new LoggedWarnings()) {
            events.forEach(listeners::report);
            await().until(() -> received.size() == events.size());

            await().until(() -> ofThisListener(warnings).count() == 2);
            assertThat(ofThisListener(warnings)).allSatisfy(message -> assertThat(message).doesNotContain("bad"));
        }
    }

    /** Other tests run at the same time, and the library may warn of what they do. */
    private static Stream<String> ofThisListener(LoggedWarnings warnings) {
        return warnings.texts().stream().filter(message -> message.contains(Picky.class.getName()));
    }

    @ParameterizedTest
    @MethodSource("allKinds")
    void itHarmsNeitherTheCallerNorAnotherListener(Listeners<String> listeners) {
        List<String> others = new CopyOnWriteArrayList<>();
        listeners.add(new Picky(), new Picky()::take);
        listeners.add(others, others::add);

        listeners.report("bad");

        await().until(() -> others.contains("bad") && received.contains("bad"));
    }

    @ParameterizedTest
    @MethodSource("allKinds")
    void aListenerThatIsRegisteredTwiceIsCalledTwice_untilEachRegistrationIsClosed(Listeners<String> listeners) {
        Registration first = listeners.add(received, received::add);
        listeners.add(received, received::add);
        listeners.report("one");
        await().until(() -> received.size() == 2);

        first.close();
        first.close();
        listeners.report("two");

        await().until(() -> received.size() == 3);
        assertThat(listeners.isEmpty()).isFalse();
    }
}
