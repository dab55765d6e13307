// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.spring.ReservationProperties.ReservedSettings;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** Auto-configuration of {@link Reserved}. */
@AutoConfiguration(after = ReservationAutoConfiguration.class)
@EnableConfigurationProperties(ReservationProperties.class)
@Import(ReservedAutoConfiguration.AutoProxies.class)
public final class ReservedAutoConfiguration {

    /** Creates the auto-configuration. */
    ReservedAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ReservedMethods reservedMethods(ConfigurableListableBeanFactory beans) {
        return new ReservedMethods(beans);
    }

    /** Goes around the transaction of a method. Reads the order from the environment: advice is made too early for the properties bean. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static DefaultPointcutAdvisor reservedAdvisor(
            ReservedMethods methods,
            ObjectProvider<ReservationManagers> managers,
            ObjectProvider<ReservationProperties> properties,
            Environment environment) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                new ReservedPointcut(methods),
                new ReservedInterceptor(methods, managers, properties));
        advisor.setOrder(
                environment.getProperty("reservation.reserved.order", Integer.class, ReservedSettings.DEFAULT_ORDER));
        return advisor;
    }

    /**
     * Makes the managers of all reserved methods at start-up, so that a wrong backend stops it. Of beans that are made later, such as lazy
     * and scoped ones, it reads the annotations, and makes nothing.
     */
    @Bean
    static SmartInitializingSingleton reservedDomains(
            ReservedMethods methods,
            ObjectProvider<ReservationManagers> managers,
            ConfigurableListableBeanFactory beans) {
        return () -> {
            methods.domains().forEach(domain -> managers.getObject().get(domain));
            BeanClasses.of(beans).forEach(methods::of);
        };
    }

    /** Makes sure that Spring puts proxies in front of beans, also if nothing else in the application needs one. */
    static final class AutoProxies implements ImportBeanDefinitionRegistrar {

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
