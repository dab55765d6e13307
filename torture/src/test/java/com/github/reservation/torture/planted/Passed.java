// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Passes calls on from a proxy to what stands behind it. */
public final class Passed {

    private Passed() {}

    /** Calls the method, and throws what it throws. */
    public static Object to(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
