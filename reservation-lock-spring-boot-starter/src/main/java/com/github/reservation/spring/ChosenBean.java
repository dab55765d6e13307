// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;

/** Finds the one bean of a type that a backend uses. */
final class ChosenBean {

    private ChosenBean() {}

    /**
     * Returns the bean of that name, or without a name the only or primary bean.
     *
     * @param property the property that sets the name
     * @throws ReservationConfigurationException if there is no such bean, or if several come into question
     */
    static <T> T of(ListableBeanFactory beans, Class<T> type, @Nullable String name, String property) {
        if (name != null) {
            return named(beans, type, name, property);
        }
        T only = beans.getBeanProvider(type).getIfUnique();
        if (only == null) {
            throw notUnique(names(beans, type), type, property);
        }
        return only;
    }

    private static <T> T named(ListableBeanFactory beans, Class<T> type, String name, String property) {
        if (!beans.containsBean(name)) {
            throw new ReservationConfigurationException(
                    property + " is \"" + name + "\", but the context has no bean of that name.",
                    "Set " + property + " to one of: " + names(beans, type) + '.');
        }
        if (!beans.isTypeMatch(name, type)) {
            throw new ReservationConfigurationException(
                    property + " is \"" + name + "\", but that bean is not a " + type.getSimpleName() + '.',
                    "Set " + property + " to one of: " + names(beans, type) + '.');
        }
        return beans.getBean(name, type);
    }

    private static ReservationConfigurationException notUnique(String names, Class<?> type, String property) {
        return names.isEmpty()
                ? new ReservationConfigurationException(
                        "The context has no bean of type " + type.getSimpleName() + '.',
                        "Define one, or set reservation.backend to another backend.")
                : new ReservationConfigurationException(
                        "The context has several beans of type " + type.getSimpleName() + ", and none is primary: "
                                + names + '.',
                        "Set " + property + " to the name of the one that keeps the reservations.");
    }

    private static String names(ListableBeanFactory beans, Class<?> type) {
        return String.join(", ", Arrays.asList(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type)));
    }
}
