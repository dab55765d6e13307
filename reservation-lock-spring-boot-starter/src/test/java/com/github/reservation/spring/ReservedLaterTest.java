// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;

/** {@link Reserved} on beans that Spring does not make at start-up. */
class ReservedLaterTest {

    @ParameterizedTest
    @ValueSource(strings = {"lazy", "prototype", "scoped", "lazy-initialization"})
    void aWrongMethodOfABeanThatIsMadeLaterStopsTheStartToo(String when) {
        Starter.inMemory().withInitializer(context -> register(when, (GenericApplicationContext) context)).run(
                context -> assertThat(context.getStartupFailure()).isNotNull().satisfies(failure -> assertThat(
                        new ReservationConfigurationFailureAnalyzer().analyze(failure).getDescription())
                        .contains("@Reserved on " + Wrong.class.getName() + ".m", "a::b")));
    }

    private static void register(String when, GenericApplicationContext context) {
        BeanDefinition definition = new RootBeanDefinition(Wrong.class);
        switch (when) {
            case "lazy" -> definition.setLazyInit(true);
            case "prototype" -> definition.setScope(BeanDefinition.SCOPE_PROTOTYPE);
            case "scoped" -> {
                context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
                definition.setScope("thread");
                BeanDefinitionHolder proxy = ScopedProxyUtils.createScopedProxy(
                        new BeanDefinitionHolder(definition, "wrong"), context, true);
                definition = proxy.getBeanDefinition();
            }
            default -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
        }
        context.registerBeanDefinition("wrong", definition);
    }

    @Test
    void aBeanThatIsMadeLaterIsNotMadeForTheCheck() {
        RootBeanDefinition definition = new RootBeanDefinition(Right.class);
        definition.setLazyInit(true);
        Starter.inMemory()
                .withInitializer(context -> ((GenericApplicationContext) context).registerBeanDefinition(
                        "lazy", definition))
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton("lazy")).isFalse();
                    assertThat(context.getBean(ReservationManagers.class).domains()).isEmpty();
                });
    }

    @Test
    void aBeanWhoseMethodsNameAClassThatIsNotThereDoesNotStopTheStart() throws Exception {
        RootBeanDefinition definition =
                new RootBeanDefinition(new WithoutOptional().loadClass(NamesOptional.class.getName()));
        definition.setLazyInit(true);
        Starter.withJdbc()
                .withInitializer(context -> ((GenericApplicationContext) context).registerBeanDefinition(
                        "broken", definition))
                .run(context -> assertThat(context).hasNotFailed());
    }

    static class Optional {}

    static class NamesOptional {
        public void m(Optional optional) {}
    }

    /** Loads {@link NamesOptional} as it is loaded where the library of {@link Optional} is not on the class path. */
    private static final class WithoutOptional extends ClassLoader {

        private WithoutOptional() {
            super(NamesOptional.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(Optional.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            if (!name.equals(NamesOptional.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static class Wrong {
        @Reserved(domain = "a::b", key = "#id")
        public void m(String id) {}
    }

    static class Right {
        @Reserved(domain = "orders", key = "#id")
        public void m(String id) {}
    }
}
