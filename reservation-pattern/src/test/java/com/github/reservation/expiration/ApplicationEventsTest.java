// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.expiration;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Registration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ApplicationEventsTest {

    private interface Event {}

    private record Expired(int id) implements Event {}

    private record Released(int id) implements Event {}

    private final ApplicationEvents publisher = ApplicationEvents.create();
    private final List<Object> heard = new ArrayList<>();

    @Test
    void aListenerHearsItsTypeAndItsSubtypes() {
        publisher.on(Expired.class, heard::add);
        publisher.publish(new Released(1));
        publisher.publish(new Expired(2));
        assertThat(heard).containsExactly(new Expired(2));

        publisher.on(Event.class, heard::add);
        publisher.publish(new Released(3));

        assertThat(heard).containsExactly(new Expired(2), new Released(3));
    }

    @Test
    void aListenerThatIsRemovedHearsNothing() {
        Registration first = publisher.on(Expired.class, heard::add);
        publisher.on(Expired.class, heard::add);

        first.close();
        first.close();
        publisher.publish(new Expired(1));

        assertThat(heard).hasSize(1);
    }

    @Test
    void aListenerThatThrowsIsLoggedOnceAndTheOthersRun() {
        publisher.on(Expired.class, event -> {
            throw new AssertionError("even this");
        });
        publisher.on(Expired.class, heard::add);
        try (LoggedLines log = new LoggedLines("Listener " + ApplicationEventsTest.class.getName())) {
            publisher.publish(new Expired(1));
            publisher.publish(new Expired(2));

            assertThat(heard).hasSize(2);
            assertThat(log.lines()).hasSize(1);
        }
    }

    @Test
    void aListenerMayRemoveItself() {
        List<Registration> own = new ArrayList<>();
        own.add(publisher.on(Expired.class, event -> {
            heard.add(event);
            own.getFirst().close();
        }));

        publisher.publish(new Expired(1));
        publisher.publish(new Expired(2));

        assertThat(heard).hasSize(1);
    }
}
