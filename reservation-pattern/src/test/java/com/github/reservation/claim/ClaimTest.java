// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.store.ClaimStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What all parts of the contract of claims start from: a fresh backend with two nodes. */
abstract class ClaimTest {

    protected static final String EMAIL = "email";
    protected static final String ALICE = "alice@example.com";

    /** Longer than any test. */
    protected static final Duration LONG = Duration.ofMinutes(5);

    /** The shortest there is, for claims that a test lets expire. */
    protected static final Duration SHORT = Claims.MIN_TTL;

    protected ClaimBackend backend;
    protected Claims claims;
    protected Claims otherNode;

    private final List<Claims> opened = new ArrayList<>();

    protected abstract ClaimBackend createBackend();

    @BeforeEach
    final void openBackend() {
        backend = createBackend();
        claims = node();
        otherNode = node();
    }

    @AfterEach
    final void closeBackend() {
        opened.forEach(Claims::close);
        if (backend != null) {
            backend.close();
        }
    }

    protected final Claims node() {
        return node(backend.store());
    }

    protected final Claims node(ClaimStore store) {
        Claims node = ClaimBackend.node(store);
        opened.add(node);
        return node;
    }

    /** Reserves a value that must be free. */
    protected static ReserveResult.Success reserved(Claims claims, String value, Duration ttl) {
        return success(claims.reserve(EMAIL, value, ttl));
    }

    protected static ReserveResult.Success success(ReserveResult result) {
        assertThat(result).isInstanceOf(ReserveResult.Success.class);
        return (ReserveResult.Success) result;
    }

    /** Reserves a value and lets its claim end. */
    protected final ReserveResult.Success lapsed(String value) {
        ReserveResult.Success reserved = reserved(claims, value, SHORT);
        letEnd();
        return reserved;
    }

    /** Lets every claim of the shortest TTL end. */
    protected final void letEnd() {
        backend.time().passTime(SHORT.plusMillis(20));
    }

    protected static String newValue() {
        return UUID.randomUUID().toString();
    }

    /** Does all of it at once, each on a thread of its own; returns the results in their order. */
    @SafeVarargs
    protected static <T> List<T> atOnce(Callable<? extends T>... calls) throws Exception {
        return atOnce(List.of(calls));
    }

    protected static <T> List<T> atOnce(List<? extends Callable<? extends T>> calls) throws Exception {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            List<Future<? extends T>> futures = new ArrayList<>();
            for (Callable<? extends T> call : calls) {
                futures.add(threads.submit(() -> {
                    start.await();
                    return call.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<? extends T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }
}
