// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.ClaimEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ClassUtils;

/** What a native image must keep: the DDL, and what the library reaches by reflection. */
final class ReservationRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("com/github/reservation/jdbc/*.sql");
        hints.resources().registerPattern("com/github/reservation/claim/*.sql");
        hints.resources().registerPattern("com/github/reservation/outbox/*.sql");
        hints.reflection().registerTypeIfPresent(
                classLoader, "com.zaxxer.hikari.HikariConfig", MemberCategory.ACCESS_DECLARED_FIELDS); // For its copy.
        for (String type : new String[]{"org.postgresql.PGConnection", "org.postgresql.PGNotification",
                "org.postgresql.core.BaseConnection"}) {
            hints.reflection().registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        for (String mapper : new String[]{"tools.jackson.databind.json.JsonMapper",
                "com.fasterxml.jackson.databind.json.JsonMapper"}) {
            hints.reflection().registerTypeIfPresent(classLoader, mapper, MemberCategory.INVOKE_PUBLIC_METHODS);
            hints.reflection().registerTypeIfPresent(
                    classLoader, mapper + "$Builder", MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        if (ClassUtils.isPresent("com.github.reservation.claim.ClaimEvent", classLoader)) {
            new BindingReflectionHintsRegistrar()
                    .registerReflectionHints(hints.reflection(), ClaimEvent.class.getPermittedSubclasses());
        }
        for (String type : new String[]{"com.hazelcast.core.HazelcastInstance",
                "com.hazelcast.internal.util.ThreadUtil"}) {
            hints.reflection().registerTypeIfPresent(classLoader, type, builder -> {});
        }
    }
}
