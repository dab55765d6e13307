// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.contract.SideBySide;
import com.github.reservation.outbox.Step.Taken;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A listener whose types have other names in each release, as when a package moves, and one beside it. */
@SideBySide
class RenamedTypesTest extends OnOutbox {

    private static final String PROJECTION = "projection";
    private static final int RELEASES = 6;
    private static final int NAME = 100;

    /** An event of each of ten types. */
    private static final Map<Class<?>, Object> EVENTS = Map.of(
            Byte.class, (byte) 1,
            Short.class, (short) 2,
            Integer.class, 3,
            Long.class, 4L,
            Float.class, 5.0f,
            Double.class, 6.0,
            Boolean.class, true,
            Character.class, 'x',
            String.class, "text",
            BigInteger.class, BigInteger.TEN);

    private final List<Object> projected = new CopyOnWriteArrayList<>();

    private static String nameOf(Class<?> type, int release) {
        String name = "moved." + release + '.' + type.getSimpleName();
        return name + "_".repeat(NAME - name.length());
    }

    private static OutboxCodec codecOf(int release) {
        return new OutboxCodec() {

            @Override
            public String nameOf(Class<?> type) {
                return EVENTS.containsKey(type) ? RenamedTypesTest.nameOf(type, release) : type.getName();
            }

            @Override
            public String encode(Object event) throws Exception {
                return EVENTS.containsKey(event.getClass()) ? "one of them" : Step.CODEC.encode(event);
            }

            @Override
            public <E> E decode(String json, Class<E> type) throws Exception {
                return EVENTS.containsKey(type) ? type.cast(EVENTS.get(type)) : Step.CODEC.decode(json, type);
            }
        };
    }

    private void release(int number) {
        outbox = build(builder().codec(codecOf(number)));
        outbox.subscribe(PROJECTION, EVENTS.keySet(), OutboxStart.NEW_EVENTS,
                (event, delivery) -> projected.add(event));
        outbox.subscribe(LISTENER, Taken.class, this::note);
    }

    private void append(String key, Object event) {
        transaction(connection -> outbox.append(connection, key, event));
    }

    private static Set<String> namesIn(int release) {
        return EVENTS.keySet().stream().map(type -> nameOf(type, release)).collect(Collectors.toSet());
    }

    private Map<String, Set<String>> registered() {
        return outbox.listeners().stream()
                .collect(Collectors.toMap(RegisteredListener::id, listener -> listener.types().keySet()));
    }

    /** Goes through all releases. Each leaves an event to the next one, which does not know its name. */
    private void releaseAll() {
        for (int number = 1; number <= RELEASES; number++) {
            release(number);
            projected.clear();
            EVENTS.values().forEach(event -> append("many", event));
            append("order-1", new Taken(number));

            assertThat(outbox.deliverNow()).isEqualTo(EVENTS.size() + 1);

            assertThat(projected).containsExactlyElementsOf(EVENTS.values());
            assertThat(arrived).hasSize(number).endsWith("order-1:" + number);
            append("left", "from release " + number);
            outbox.close();
        }
    }

    @Test
    void bothListenersGetTheirEventsInEveryRelease_andAllNamesAreShown() {
        releaseAll();

        release(RELEASES);
        Set<String> all = IntStream.rangeClosed(1, RELEASES)
                .mapToObj(RenamedTypesTest::namesIn)
                .flatMap(Set::stream)
                .collect(Collectors.toSet());
        assertThat(String.join(",", all)).hasSizeGreaterThan(4_000);
        assertThat(registered()).isEqualTo(Map.of(LISTENER, Set.of(Taken.class.getName()), PROJECTION, all));
    }

    @Test
    void oldNamesAreForgottenWithTheirEvents_andTheNewOnesStay() {
        releaseAll();
        release(RELEASES);
        projected.clear();
        assertThat(outbox.deliverNow()).isZero();
        assertThat(rows()).isEqualTo(RELEASES);

        for (int number = 1; number < RELEASES; number++) {
            namesIn(number).forEach(name -> assertThat(outbox.forget(PROJECTION, name)).isTrue());
        }

        assertThat(registered().get(PROJECTION)).isEqualTo(namesIn(RELEASES));
        assertThat(outbox.deliverNow()).isOne();
        assertThat(projected).containsExactly(EVENTS.get(String.class));
        EVENTS.values().forEach(event -> append("many", event));
        assertThat(outbox.deliverNow()).isEqualTo(EVENTS.size());
        assertThat(rows() + records()).isZero();
    }
}
