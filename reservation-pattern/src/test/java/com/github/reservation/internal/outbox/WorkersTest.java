// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.Ticker;
import com.github.reservation.outbox.OutboxCodec;
import com.github.reservation.outbox.OutboxListener;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who runs the groups of a page. */
class WorkersTest {

    private static final int MOST = 4;

    private static final OutboxCodec CODEC = new OutboxCodec() {

        @Override
        public String encode(Object event) {
            return event.toString();
        }

        @Override
        public <E> E decode(String json, Class<E> type) {
            return type.cast(json);
        }
    };

    private final AtomicInteger left = new AtomicInteger();

    private Workers workers(OutboxListener<String> listener) {
        return new Workers(new Subscriber<>("mailer", Map.of("text", String.class), listener, CODEC), MOST, () -> {});
    }

    private List<KeyGroup> page(int size) {
        left.set(size);
        long trustedUntil = Ticker.system().nanos() + Long.MAX_VALUE / 2;
        return IntStream.range(0, size).mapToObj(id -> new KeyGroup(
                List.of(new StoredEvent(id, "", "", "text", "", Instant.EPOCH, 0)), left, trustedUntil,
                Ticker.system()))
                .toList();
    }

    @Test
    void allWorkersShareAPageThatTakesLong() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        Workers workers = workers((event, delivery) -> {
            busy.incrementAndGet();
            goOn.await();
        });

        workers.addAll(page(3 * MOST));

        await().until(() -> busy.get() == MOST);
        assertThat(workers.areHungry()).isFalse();
        goOn.countDown();
        await().until(() -> left.get() == 0 && workers.areHungry());
        assertThat(busy).hasValue(3 * MOST);
    }
}
