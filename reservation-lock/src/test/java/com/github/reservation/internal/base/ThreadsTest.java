// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the threads of the library take over from the thread that starts them. */
class ThreadsTest {

    private static final InheritableThreadLocal<String> TENANT = new InheritableThreadLocal<>();

    static Stream<Consumer<Runnable>> waysToStart() {
        return Stream.of(
                task -> Threads.platform("a platform thread", task).start(),
                Threads::executeOrRun,
                Threads::execute);
    }

    static Stream<Consumer<Runnable>> waysToHandOver() {
        return waysToStart().skip(1);
    }

    @ParameterizedTest
    @MethodSource("waysToStart")
    void theyInheritNoThreadLocalsAndAreDaemons(Consumer<Runnable> start) throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        CountDownLatch allRun = new CountDownLatch(1);
        TENANT.set("the caller's");
        try {
            for (int i = 0; i < 50; i++) { // So many at once that some threads of the pool must be new.
                start.accept(() -> {
                    seen.add(Thread.currentThread().isDaemon() + " " + TENANT.get());
                    await(allRun);
                });
            }

            for (int i = 0; i < 50; i++) {
                assertThat(seen.poll(10, TimeUnit.SECONDS)).isEqualTo("true null");
            }
        } finally {
            allRun.countDown();
            TENANT.remove();
        }
    }

    @ParameterizedTest
    @MethodSource("waysToHandOver")
    void aTaskSeesTheContextClassLoaderOfWhoeverHandsItOver(Consumer<Runnable> start) throws Exception {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        BlockingQueue<ClassLoader> seen = new LinkedBlockingQueue<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[0])) {
            caller.setContextClassLoader(loader);

            start.accept(() -> seen.add(Thread.currentThread().getContextClassLoader()));

            assertThat(seen.poll(10, TimeUnit.SECONDS)).isSameAs(loader);
        } finally {
            caller.setContextClassLoader(before);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
