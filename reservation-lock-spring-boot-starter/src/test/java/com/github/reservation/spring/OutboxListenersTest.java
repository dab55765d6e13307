// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static com.github.reservation.spring.OutboxApplication.append;
import static com.github.reservation.spring.OutboxApplication.ship;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.github.reservation.outbox.Outbox;
import com.github.reservation.outbox.OutboxFailure;
import com.github.reservation.outbox.OutboxQuery;
import com.github.reservation.outbox.RegisteredListener;
import com.github.reservation.spring.OutboxApplication.Shipped;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextStartedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.ResolvableType;
import org.springframework.core.ResolvableTypeProvider;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalApplicationListener;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Which methods the outbox calls, with what, in which order, and what becomes of their exceptions. */
@ExtendWith(OutputCaptureExtension.class)
class OutboxListenersTest {

    private final ApplicationContextRunner runner = OutboxApplication.withoutListeners();

    /** What listeners have heard, by the name of the method. */
    static class Heard {

        private final List<String> all = new CopyOnWriteArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();

        public List<String> all() {
            return all;
        }

        public void fail(int times) {
            failures.set(times);
        }

        void hear(String what) {
            all.add(what);
        }

        void hearOrFail(String what) {
            all.add(what);
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    private static void assertHeard(AssertableApplicationContext context, String... expected) {
        await().untilAsserted(() -> assertThat(context.getBean(Outbox.class).backlog().pending()).isZero());
        assertThat(context.getBean(Heard.class).all()).containsExactly(expected);
    }

    private static List<RegisteredListener> listeners(AssertableApplicationContext context) {
        Outbox outbox = context.getBean(Outbox.class);
        await().until(() -> !outbox.listeners().isEmpty());
        return outbox.listeners();
    }

    static class AfterCommit extends Heard {

        @TransactionalEventListener
        public void on(Shipped event) {
            hearOrFail("shipped " + event.order() + ", transaction "
                    + TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Test
    void aTransactionalListenerIsCalledWithoutATransaction_andAgainIfItFails() {
        runner.withBean(AfterCommit.class).run(context -> {
            context.getBean(AfterCommit.class).fail(1);

            ship(context, "1");

            assertHeard(context, "shipped 1, transaction false", "shipped 1, transaction false");
        });
    }

    static class InOrder extends Heard {

        @TransactionalEventListener
        @Order(2)
        public void second(Shipped event) {
            hear("second");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        @Order(1)
        public void first(Shipped event) {
            hear("first");
        }

        @EventListener
        @Order(3)
        public void plain(Shipped event) {
            hear("plain");
        }
    }

    @Test
    void methodsAreCalledInTheirOrder_andThoseThatWaitForACommitAfterTheOthers() {
        runner.withBean(InOrder.class).run(context -> {
            ship(context, "1");

            assertHeard(context, "plain", "first", "second");
        });
    }

    static class OtherPhases extends Heard {

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
        public void before(Shipped event) {
            hear("before");
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
        public void rolledBack(Shipped event) {
            hear("rolled back");
        }

        @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT, fallbackExecution = true)
        public void fallback(Delivered event) {
            hear("fallback");
        }
    }

    @Test
    void aListenerBeforeTheCommitOrAfterARollbackIsNotCalled_exceptAsAFallback() {
        runner.withBean(OtherPhases.class).run(context -> {
            assertThat(listeners(context)).singleElement().satisfies(
                    one -> assertThat(one.types()).containsOnlyKeys(Delivered.class.getName()));

            append(context, "1", new Delivered("1"));

            assertHeard(context, "fallback");
        });
    }

    static class Choosy extends Heard {

        @TransactionalEventListener(condition = "#event.order == '2'")
        public void two(Shipped event) {
            hear("two " + event.order());
        }

        @EventListener(classes = {Shipped.class, Delivered.class}, condition = "#root.event.payload.order() != '2'")
        public void others() {
            hear("others");
        }
    }

    @Test
    void conditionsAndClassesHold() {
        runner.withBean(Choosy.class).run(context -> {
            append(context, "1", new Shipped("1"), new Shipped("2"), new Delivered("3"));

            assertHeard(context, "others", "two 2", "others");
        });
    }

    /** Has all annotations that Spring Modulith's {@code @ApplicationModuleListener} has, but {@code @Async}. */
    @Retention(RetentionPolicy.RUNTIME)
    @Transactional(propagation = Propagation.REQUIRES_NEW)
    @TransactionalEventListener
    @interface ModuleListener {}

    static class Proxied extends Heard {

        @ModuleListener
        public void on(Shipped event) {
            hearOrFail("in a transaction " + TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Test
    void aMethodWithAnAnnotationOfTheApplicationIsCalledThroughItsProxy() {
        runner.withBean(Proxied.class).run(context -> {
            context.getBean(Proxied.class).fail(1);

            ship(context, "1");

            assertHeard(context, "in a transaction true", "in a transaction true");
        });
    }

    /** Says what its type variable is, as Spring asks for. */
    record Change<T>(T what) implements ResolvableTypeProvider {

        @Override
        @JsonIgnore
        public ResolvableType getResolvableType() {
            return ResolvableType.forClassWithGenerics(Change.class, what.getClass());
        }
    }

    static class Wrapped extends Heard {

        @EventListener
        public void generic(Change<String> event) {
            hear("changed " + event.what());
        }

        @EventListener
        public void otherGeneric(Change<Integer> event) {
            hear("changed number " + event.what());
        }

        @TransactionalEventListener
        public void payload(PayloadApplicationEvent<Shipped> event) {
            hear("shipped " + event.getPayload().order());
        }
    }

    @Test
    void genericEventsAndPayloadsArrive() {
        runner.withBean(Wrapped.class).run(context -> {
            append(context, "1", new Change<>("colour"), new Change<>(7), new Shipped("1"));

            assertHeard(context, "changed colour", "changed number 7", "shipped 1");
        });
    }

    sealed interface Parcel {}

    record Lost(String order) implements Parcel {}

    record Found(String order) implements Parcel {}

    interface Anything {}

    record Delivered(String order) implements Anything {}

    static class OfSupertypes extends Heard {

        @EventListener
        public void parcel(Parcel event) {
            hear(event.getClass().getSimpleName());
        }

        @EventListener
        public void anything(Anything event) {
            hear("anything");
        }
    }

    static class OfDelivered extends Heard {

        @EventListener
        public void on(Delivered event) {
            hear("delivered");
        }
    }

    @Test
    void aSealedTypeMeansItsClasses() {
        runner.withBean(OfSupertypes.class).run(context -> {
            append(context, "1", new Lost("1"), new Found("1"));

            assertHeard(context, "Lost", "Found");
        });
    }

    @Test
    void anOpenTypeMeansThoseClassesThatOtherMethodsName_andTheLogSaysSo(CapturedOutput output) {
        runner.withBean(OfSupertypes.class).withBean(OfDelivered.class).run(context -> {
            append(context, "1", new Delivered("1"));

            await().untilAsserted(
                    () -> assertThat(context.getBean(OfDelivered.class).all()).containsExactly("delivered"));
            await().untilAsserted(
                    () -> assertThat(context.getBean(OfSupertypes.class).all()).containsExactly("anything"));
            assertThat(output).contains("OfSupertypes.anything listens to " + Anything.class.getName()
                    + ", which is not sealed");
        });
    }

    static class Steps extends Heard {

        @EventListener
        public void shipped(Shipped event) {
            hearOrFail("shipped");
        }

        @EventListener
        public void delivered(Delivered event) {
            hear("delivered");
        }
    }

    @Test
    void eventsOfOneKeyKeepTheirOrder_whateverTheirTypesAre() {
        runner.withBean(Steps.class).run(context -> {
            context.getBean(Steps.class).fail(1);

            append(context, "1", new Shipped("1"), new Delivered("1"));

            assertHeard(context, "shipped", "shipped", "delivered");
            assertThat(listeners(context)).extracting(RegisteredListener::id).containsExactly("spring");
        });
    }

    static class Apart extends Heard {

        @EventListener
        public void usual(Shipped event) {
            hear("usual");
        }

        @TransactionalEventListener(id = "mailer")
        public void mailer(Shipped event) {
            hearOrFail("mailer");
        }
    }

    @Test
    void aMethodWithAnIdIsCalledAgainAlone() {
        runner.withBean(Apart.class).withPropertyValues("reservation.outbox.listener-id=shop").run(context -> {
            context.getBean(Apart.class).fail(2);

            ship(context, "1");

            await().untilAsserted(() -> assertThat(context.getBean(Outbox.class).backlog().pending()).isZero());
            assertThat(context.getBean(Apart.class).all())
                    .containsExactlyInAnyOrder("usual", "mailer", "mailer", "mailer");
            assertThat(listeners(context)).extracting(RegisteredListener::id).containsExactly("mailer", "shop");
        });
    }

    @EnableAsync
    static class InBackground extends Heard {

        @Async
        @TransactionalEventListener
        public void later(Shipped event) {
            hearOrFail("later " + event.order());
        }
    }

    @Test
    void aMethodThatGoesOnIsNotCalledAgain_andTheLogWarnsOnce(CapturedOutput output) {
        runner.withUserConfiguration(InBackground.class).run(context -> {
            context.getBean(InBackground.class).fail(1);

            append(context, "1", new Shipped("1"), new Shipped("2"));

            await().untilAsserted(() -> assertThat(context.getBean(InBackground.class).all())
                    .containsExactlyInAnyOrder("later 1", "later 2"));
            await().untilAsserted(() -> assertThat(context.getBean(Outbox.class).backlog().pending()).isZero());
            assertThat(output).containsOnlyOnce("InBackground.later goes on after it has returned");
        });
    }

    static class Checked {

        @EventListener
        public void on(Shipped event) throws IOException {
            throw new IOException("The mail server is gone");
        }
    }

    @Test
    void anExceptionIsShownAsItWasThrown_withoutTheEvent() {
        runner.withBean(Checked.class).withPropertyValues("reservation.outbox.retry-for=0").run(context -> {
            ship(context, "a secret");

            Outbox outbox = context.getBean(Outbox.class);
            await().until(() -> outbox.backlog().parked() == 1);
            assertThat(outbox.list(OutboxQuery.parked()).getFirst().failures()).singleElement()
                    .extracting(OutboxFailure::error).asString()
                    .contains("IOException: The mail server is gone").doesNotContain("a secret");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Multicaster {

        @Bean
        SimpleApplicationEventMulticaster applicationEventMulticaster() {
            SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setErrorHandler(error -> {});
            return multicaster;
        }
    }

    @Test
    void anErrorHandlerOfSpringHidesNoFailure() {
        runner.withUserConfiguration(Multicaster.class).withBean(Steps.class).run(context -> {
            context.getBean(Steps.class).fail(1);

            ship(context, "1");

            assertHeard(context, "shipped", "shipped");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutMethod {

        final List<String> heard = new CopyOnWriteArrayList<>();

        @Bean
        TransactionalApplicationListener<PayloadApplicationEvent<Shipped>> ofPayloads() {
            return TransactionalApplicationListener.forPayload(event -> heard.add(event.order()));
        }

        /** A lambda does not say that it takes no other events. */
        @Bean
        ApplicationListener<ContextStartedEvent> ofTheContext() {
            return event -> heard.add("started");
        }
    }

    @Test
    void aListenerThatIsNoMethodReceivesWhatMethodsName_ifItTakesIt() {
        runner.withUserConfiguration(WithoutMethod.class).withBean(Steps.class).run(context -> {
            append(context, "1", new Shipped("1"), new Delivered("1"), new Shipped("2"));

            assertHeard(context, "shipped", "delivered", "shipped");
            assertThat(context.getBean(WithoutMethod.class).heard).containsExactly("1", "2");
        });
    }

    static class Cast {

        @EventListener
        public void on(Shipped event) {
            Object other = event;
            ((Delivered) other).order();
        }
    }

    @Test
    void aClassCastExceptionOfAMethodIsAFailureLikeAnyOther() {
        runner.withBean(Cast.class).withPropertyValues("reservation.outbox.retry-for=0").run(context -> {
            ship(context, "1");

            await().until(() -> context.getBean(Outbox.class).backlog().parked() == 1);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(AfterCommit.class)
    static class Parent {}

    @Test
    void aListenerOfTheParentContextIsCalled() {
        new ApplicationContextRunner().withUserConfiguration(Parent.class).run(
                parent -> runner.withParent(parent.getSourceApplicationContext()).run(context -> {
                    ship(context, "1");

                    AfterCommit heard = parent.getBean(AfterCommit.class);
                    await().untilAsserted(
                            () -> assertThat(heard.all()).containsExactly("shipped 1, transaction false"));
                }));
    }
}
