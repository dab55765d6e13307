// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Reservation;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Every kind of proxy locks; a call that bypasses the proxy does not. */
class ReservedProxyTest {

    private final ApplicationContextRunner runner = Starter.inMemory()
            .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
            .withBean(Service.class, DefaultService::new);

    @Test
    void aTypeVariableThatASubclassMakesAFutureHoldsTheLock() {
        Starter.inMemory().withBean(ReturnsFutureOfItsSubclass.class).run(context -> {
            CompletableFuture<String> result = context.getBean(ReturnsFutureOfItsSubclass.class).m("42");

            assertThat(context.getBean(ReservationManagers.class).get("d").getReservation("42").isLocked()).isTrue();
            context.getBean(ReturnsFutureOfItsSubclass.class).finish("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
        });
    }

    @Test
    void aClassProxyLocks() {
        runner.run(context -> {
            assertThat(AopUtils.isCglibProxy(context.getBean(Service.class))).isTrue();
            assertThat(context.getBean(Service.class).serve("42")).isEqualTo("42");
        });
    }

    @Test
    void anInterfaceProxyLocks() {
        runner.withPropertyValues("spring.aop.proxy-target-class=false").run(context -> {
            assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Service.class))).isTrue();
            assertThat(context.getBean(Service.class).serve("42")).isEqualTo("42");
        });
    }

    @Test
    void withoutSpringsAopConfigurationProxiesAreMadeAllTheSame() {
        runner.withPropertyValues("spring.aop.auto=false").run(
                context -> assertThat(context.getBean(Service.class).serve("42")).isEqualTo("42"));
    }

    @Test
    void anAsynchronousMethodLocksInItsOwnThread() {
        runner.withUserConfiguration(Asynchronous.class).run(context -> {
            BlockingQueue<String> done = context.getBean(Background.class).done();

            context.getBean(Background.class).work("42");

            assertThat(done.poll(10, TimeUnit.SECONDS)).isEqualTo("42 in another thread");
        });
    }

    @Test
    void aCallFromTheSameObjectDoesNotLock() {
        runner.run(context -> assertThat(context.getBean(Service.class).serveAgain("42")).isEqualTo("not locked"));
    }

    interface Service {

        @Reserved(domain = "orders", key = "#identifier")
        String serve(@P("identifier") String id);

        String serveAgain(String id);
    }

    static class DefaultService implements Service {

        @Override
        public String serve(String id) {
            return CurrentReservation.find().map(Reservation::getIdentifier).orElse("not locked");
        }

        @Override
        public String serveAgain(String id) {
            return serve(id);
        }
    }

    static class Background {

        private final Thread caller = Thread.currentThread();
        private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

        public BlockingQueue<String> done() {
            return done;
        }

        @Async
        @Reserved(domain = "orders", key = "#id")
        public void work(String id) {
            done.add(CurrentReservation.get().getIdentifier()
                    + (Thread.currentThread() == caller ? "" : " in another thread"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {

        @Bean
        Background background() {
            return new Background();
        }
    }

    static class GenericWork<T> {

        final CompletableFuture<String> work = new CompletableFuture<>();

        @SuppressWarnings("unchecked") // The only subclass says so.
        @Reserved(domain = "d", key = "#id")
        public T m(String id) {
            return (T) work;
        }

        public void finish(String result) {
            work.complete(result);
        }
    }

    static class ReturnsFutureOfItsSubclass extends GenericWork<CompletableFuture<String>> {}
}
