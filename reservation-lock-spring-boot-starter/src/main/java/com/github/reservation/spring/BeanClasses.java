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

/** The classes of all beans of a context, also of those that were not made yet. */
final class BeanClasses {

    private static final Log LOG = LogFactory.getLog(BeanClasses.class);

    private BeanClasses() {}

    /** Returns the classes behind proxies, as far as bean definitions tell them. */
    static Stream<Class<?>> of(ConfigurableListableBeanFactory beans) {
        return Arrays.stream(beans.getBeanDefinitionNames()).flatMap(name -> Stream.ofNullable(find(beans, name)));
    }

    private static @Nullable Class<?> find(ConfigurableListableBeanFactory beans, String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (BeansException | LinkageError e) {
            LOG.debug("Bean " + name + " has an unknown class; Spring will say so when it makes it", e);
            return null;
        }
    }
}
