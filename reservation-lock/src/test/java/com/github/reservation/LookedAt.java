// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.lang.reflect.Proxy;

/** Looks at types as containers and mocks do, in a JVM of its own: see {@link OptionalDependenciesTest}. */
public final class LookedAt {

    private LookedAt() {}

    /** Prints what can be looked at, of the classes with the given names. */
    public static void main(String[] names) throws ClassNotFoundException {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            int members = type.getMethods().length
                    + type.getDeclaredMethods().length
                    + type.getDeclaredFields().length
                    + type.getDeclaredConstructors().length;
            if (type.isInterface() && !type.isSealed()) {
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, args) -> null);
            }
            System.out.println(type.getName() + (members > 0 ? "" : " has no members"));
        }
    }
}
