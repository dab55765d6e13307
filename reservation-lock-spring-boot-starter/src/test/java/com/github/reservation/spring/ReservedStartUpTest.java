// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.lease.HeldLock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.Deferred;
import kotlinx.coroutines.flow.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A wrong {@link Reserved} stops the start of the application, with a sentence. */
class ReservedStartUpTest {

    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of(BadSyntax.class, "key is no valid expression"),
                Arguments.of(UnknownParameter.class, "key names #idd, but the parameters are [#id, #p0, #a0]"),
                Arguments.of(NestedUnknownParameter.class, "key names #other"),
                Arguments.of(WordWithoutQuotes.class, "key names nightly, but"),
                Arguments.of(WordWithoutHash.class, "has no such property: write #order for a parameter"),
                Arguments.of(EmptyKey.class, "key must not be empty"),
                Arguments.of(EmptyDomain.class, "domain must not be empty"),
                Arguments.of(BadLease.class, "lease must be a duration like 30s or PT30S, but is \"soon\""),
                Arguments.of(NoLease.class, "lease must be at least PT0.001S, but is PT0S"),
                Arguments.of(NegativeWait.class, "maxWait must be at least PT0S, but is PT-1S"),
                Arguments.of(SkippedPrimitive.class, "onBusy is SKIP, but a call that is skipped has no int to return"),
                Arguments.of(FinalMethod.class, "the method is private, static or final"),
                Arguments.of(FinalClass.class, "or its class is final"),
                Arguments.of(PrivateMethod.class, "the method is private, static or final"),
                Arguments.of(StaticMethod.class, "the method is private, static or final"),
                Arguments.of(SecondMethodWrong.class, "key names #missing"),
                Arguments.of(ReturnsOwnFuture.class, "the method returns a OwnFuture"),
                Arguments.of(ReturnsFuture.class, "the method returns a Future"),
                Arguments.of(ReturnsMono.class, "the method returns a Mono"),
                Arguments.of(ReturnsFlux.class, "the method returns a Flux"),
                Arguments.of(ReturnsStream.class, "the method returns a Stream"),
                Arguments.of(ReturnsCallable.class, "the method returns a Callable"),
                Arguments.of(ReturnsDeferredResult.class, "the method returns a DeferredResult"),
                Arguments.of(ReturnsSseEmitter.class, "the method returns a SseEmitter"),
                Arguments.of(ReturnsOptionalFuture.class, "the method returns a CompletableFuture"),
                Arguments.of(ReturnsListOfOptionalMono.class, "the method returns a Mono"),
                Arguments.of(ReturnsFutureStream.class, "the method returns a Stream"),
                Arguments.of(ReturnsMonoOfItsSubclass.class, "the method returns a Mono"),
                Arguments.of(ReturnsListOfMonoOfItsSubclass.class, "the method returns a Mono"),
                Arguments.of(ReturnsFlow.class, "the method returns a Flow"),
                Arguments.of(ReturnsDeferred.class, "the method returns a Deferred"),
                Arguments.of(ReturnsStreamingBody.class, "the method returns a StreamingResponseBody"),
                Arguments.of(Coroutine.class, "the method is a coroutine"),
                Arguments.of(TwoHeldLocks.class, "the method has 2 parameters of type HeldLock"),
                Arguments.of(KeyOfHeldLock.class, "key names #lock, but the parameters are [#id, #p0, #a0]"));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void aWrongMethodStopsTheStart(Class<?> type, String message) {
        Starter.inMemory().withBean(type).run(
                context -> assertThat(context.getStartupFailure()).isNotNull().satisfies(failure -> {
                    var analysis = new ReservationConfigurationFailureAnalyzer().analyze(failure);

                    assertThat(analysis).isNotNull();
                    assertThat(analysis.getDescription()).contains("@Reserved on " + type.getName() + ".m", message);
                }));
    }

    @Test
    void aKeyMayNamePropertiesOfTheBean() {
        Starter.inMemory().withBean(PropertiesOfTheBean.class).run(context -> assertThat(
                context.getBean(PropertiesOfTheBean.class).m()).isEqualTo("report-eutrue"));
    }

    @Test
    void aWrongDomainStopsTheStart() {
        Starter.inMemory().withBean(BadDomain.class).run(
                context -> assertThat(context.getStartupFailure()).hasMessageContaining("a::b"));
    }

    @Test
    void voidCanBeSkipped() {
        Starter.inMemory().withBean(SkippedVoid.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aTypeArgumentThatIsDoneIsNoProblem() {
        Starter.inMemory().withBean(ReturnsGeneric.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Generic<T> {
        @Reserved(domain = "d", key = "#id")
        public T m(String id) {
            throw new UnsupportedOperationException(id);
        }
    }

    static class ReturnsMonoOfItsSubclass extends Generic<Mono<String>> {}

    static class ReturnsListOfMonoOfItsSubclass extends Generic<List<Mono<String>>> {}

    static class ReturnsFlow {
        @Reserved(domain = "d", key = "#id")
        public Flow<String> m(String id) {
            throw new UnsupportedOperationException(id);
        }
    }

    static class ReturnsDeferred {
        @Reserved(domain = "d", key = "#id")
        public Deferred<String> m(String id) {
            throw new UnsupportedOperationException(id);
        }
    }

    static class ReturnsStreamingBody {
        @Reserved(domain = "d", key = "#id")
        public StreamingResponseBody m(String id) {
            return out -> out.write(1);
        }
    }

    static class BadSyntax {
        @Reserved(domain = "d", key = "#id +")
        public void m(String id) {}
    }

    static class UnknownParameter {
        @Reserved(domain = "d", key = "#idd")
        public void m(String id) {}
    }

    static class NestedUnknownParameter {
        @Reserved(domain = "d", key = "'x' + (#id ?: #other)")
        public void m(String id) {}
    }

    static class WordWithoutQuotes {
        @Reserved(domain = "d", key = "nightly-report")
        public void m() {}
    }

    static class WordWithoutHash {
        @Reserved(domain = "d", key = "'order-' + order.id")
        public void m(Object order) {}
    }

    static class PropertiesOfTheBean {
        public final String region = "eu";

        public String getName() {
            return "report";
        }

        public boolean isLate() {
            return true;
        }

        @Reserved(domain = "d", key = "name + '-' + region + late")
        public String m() {
            return CurrentReservation.get().getIdentifier();
        }
    }

    static class EmptyKey {
        @Reserved(domain = "d", key = " ")
        public void m(String id) {}
    }

    static class EmptyDomain {
        @Reserved(domain = "${none:}", key = "#id")
        public void m(String id) {}
    }

    static class BadLease {
        @Reserved(domain = "d", key = "#id", lease = "soon")
        public void m(String id) {}
    }

    static class NoLease {
        @Reserved(domain = "d", key = "#id", lease = "0s")
        public void m(String id) {}
    }

    static class NegativeWait {
        @Reserved(domain = "d", key = "#id", maxWait = "-1s")
        public void m(String id) {}
    }

    static class SkippedPrimitive {
        @Reserved(domain = "d", key = "#id", onBusy = OnBusy.SKIP)
        public int m(String id) {
            return 1;
        }
    }

    static class SkippedVoid {
        @Reserved(domain = "d", key = "#id", onBusy = OnBusy.SKIP)
        public void m(String id) {}
    }

    static class FinalMethod {
        @Reserved(domain = "d", key = "#id")
        public final void m(String id) {}
    }

    static final class FinalClass {
        @Reserved(domain = "d", key = "#id")
        public void m(String id) {}
    }

    static class PrivateMethod {
        @Reserved(domain = "d", key = "#id")
        private void m(String id) {}
    }

    static class StaticMethod {
        @Reserved(domain = "d", key = "#id")
        public static void m(String id) {}
    }

    static class SecondMethodWrong {
        @Reserved(domain = "d", key = "#id")
        public void a(String id) {}

        @Reserved(domain = "d", key = "#missing")
        public void m(String id) {}
    }

    static class BadDomain {
        @Reserved(domain = "a::b", key = "#id")
        public void m(String id) {}
    }

    static class OwnFuture extends CompletableFuture<String> {}

    /** No other future can stand in for it. */
    static class ReturnsOwnFuture {
        @Reserved(domain = "d", key = "#id")
        public OwnFuture m(String id) {
            return new OwnFuture();
        }
    }

    static class TwoHeldLocks {
        @Reserved(domain = "d", key = "#id")
        public void m(String id, HeldLock one, HeldLock two) {}
    }

    static class KeyOfHeldLock {
        @Reserved(domain = "d", key = "#lock.name()")
        public void m(String id, HeldLock lock) {}
    }

    static class ReturnsFuture {
        @Reserved(domain = "d", key = "#id")
        public Future<String> m(String id) {
            return CompletableFuture.completedFuture(id);
        }
    }

    static class ReturnsMono {
        @Reserved(domain = "d", key = "#id")
        public Mono<String> m(String id) {
            return Mono.just(id);
        }
    }

    static class ReturnsFlux {
        @Reserved(domain = "d", key = "#id")
        public Flux<String> m(String id) {
            return Flux.just(id);
        }
    }

    static class Coroutine {
        @Reserved(domain = "d", key = "#id")
        public Object m(String id, Continuation<? super String> continuation) {
            return id;
        }
    }

    static class ReturnsCallable {
        @Reserved(domain = "d", key = "#id")
        public Callable<String> m(String id) {
            return () -> id;
        }
    }

    static class ReturnsDeferredResult {
        @Reserved(domain = "d", key = "#id")
        public DeferredResult<String> m(String id) {
            return new DeferredResult<>();
        }
    }

    static class ReturnsSseEmitter {
        @Reserved(domain = "d", key = "#id")
        public SseEmitter m(String id) {
            return new SseEmitter();
        }
    }

    static class ReturnsOptionalFuture {
        @Reserved(domain = "d", key = "#id")
        public Optional<CompletableFuture<String>> m(String id) {
            return Optional.empty();
        }
    }

    static class ReturnsListOfOptionalMono {
        @Reserved(domain = "d", key = "#id")
        public List<Optional<? extends Mono<String>>> m(String id) {
            return List.of();
        }
    }

    static class ReturnsFutureStream {
        @Reserved(domain = "d", key = "#id")
        public CompletableFuture<Stream<String>> m(String id) {
            return new CompletableFuture<>();
        }
    }

    /** A type argument that refers to itself. */
    static class ReturnsGeneric {
        @Reserved(domain = "d", key = "#id")
        public <T extends Comparable<T>> List<T> m(String id) {
            return List.of();
        }
    }

    static class ReturnsStream {
        @Reserved(domain = "d", key = "#id")
        public Stream<String> m(String id) {
            return Stream.of(id);
        }
    }
}
