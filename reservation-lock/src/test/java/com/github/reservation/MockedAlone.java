// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import org.mockito.Mockito;

/** Mocks types in a JVM that has Mockito and the library alone: see {@link OptionalDependenciesTest}. */
public final class MockedAlone {

    private MockedAlone() {}

    /** Prints what can be mocked, of the classes with the given names. */
    public static void main(String[] names) throws ClassNotFoundException {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            try {
                Object mock = Mockito.mock(type);
                System.out.println(type.isInstance(mock) ? name : "no " + name);
            } catch (RuntimeException | LinkageError e) {
                Throwable cause = e;
                while (cause.getCause() != null) {
                    cause = cause.getCause();
                }
                System.out.println(name + ": " + cause);
            }
        }
    }
}
