// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test class that may run while others run, because most of its time goes by while it waits. It measures no short time,
 * and neither changes nor reads what belongs to the whole JVM: the default time zone, the log, the list of threads.
 * Its methods may run side by side, too, so they share nothing; else the class is one of {@code SAME_THREAD}.
 *
 * <p>The build runs these classes in a JVM of their own; all others run one after another.
 */
@Inherited
@Tag("side-by-side")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface SideBySide {}
