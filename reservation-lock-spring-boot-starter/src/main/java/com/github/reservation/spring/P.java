// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names a parameter for {@link Reserved#key()}. Needed only for interfaces and for code that is compiled without
 * {@code -parameters}, or to keep an expression when a parameter is renamed.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface P {

    /** Returns the name, without {@code #}. */
    String value();
}
