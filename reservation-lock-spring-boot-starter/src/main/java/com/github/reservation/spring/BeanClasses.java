// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** The classes of all beans of a context, also of those that were not made yet. */
final class BeanClasses {

    private static final Log LOG = LogFactory.getLog(BeanClasses.class);

    private BeanClasses() {}

    /** Returns the classes behind proxies, as far as bean definitions tell them and their methods can be read. */
    static Stream<Class<?>> of(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanDefinitionNames()).flatMap(name -> Stream.ofNullable(find(beans, name)));
    }

    private static @Nullable Class<?> find(ConfigurableListableBeanFactory beans, String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null) {
                MethodIntrospector.selectMethods(type, (MethodFilter) method -> false); // One may name a class that is not there.
            }
            return type;
        } catch (BeansException | IllegalStateException | LinkageError | TypeNotPresentException e) {
            LOG.debug("Bean " + name + " has a class that cannot be read; Spring will say so if it makes the bean", e);
            return null;
        }
    }
}
