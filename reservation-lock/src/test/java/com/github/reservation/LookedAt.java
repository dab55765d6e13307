// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.lang.reflect.Executable;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Looks at types as containers and mocking libraries do, in a JVM of its own: see {@link OptionalDependenciesTest}. */
public final class LookedAt {

    private LookedAt() {}

    /** Prints what can be looked at, of the classes with the given names. */
    public static void main(String[] names) throws ClassNotFoundException {
        for (String name : names) {
            Class<?> type = Class.forName(name);
            int members = type.getMethods().length + type.getDeclaredFields().length + lookAtGenerics(type);
            if (type.isInterface() && !type.isSealed()) {
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, (proxy, method, args) -> null);
            }
            System.out.println(type.getName() + (members > 0 || type.isSealed() ? "" : " has no members"));
        }
    }

    /** Resolves every type that a generic signature names; returns how many members have one. */
    private static int lookAtGenerics(Class<?> type) {
        List<String> signatures = new ArrayList<>();
        signatures.add(type.toGenericString());
        signatures.add(type.getGenericSuperclass() + " " + Arrays.toString(type.getGenericInterfaces()));
        Arrays.stream(type.getTypeParameters()).forEach(parameter -> signatures.add(
                Arrays.toString(parameter.getBounds())));
        int withoutMembers = signatures.size();
        for (Executable executable : Stream.<Executable>concat(
                Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors())).toList()) {
            signatures.add(executable.toGenericString());
            Arrays.stream(executable.getTypeParameters()).forEach(parameter -> signatures.add(
                    Arrays.toString(parameter.getBounds())));
        }
        Arrays.stream(type.getDeclaredFields()).forEach(field -> signatures.add(field.toGenericString()));
        return signatures.size() - withoutMembers;
    }
}
