// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import com.github.reservation.outbox.OutboxCodec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

/** Writes and reads events with Jackson 3 or 2: by reflection, so that the library compiles and runs without it. */
public final class JacksonCodec implements OutboxCodec {

    private final Object mapper;
    private final Method write;
    private final Method read;

    private static final List<String> MAPPERS =
            List.of("tools.jackson.databind.json.JsonMapper", "com.fasterxml.jackson.databind.json.JsonMapper");

    private JacksonCodec(Object mapper) throws NoSuchMethodException {
        this.mapper = mapper;
        this.write = mapper.getClass().getMethod("writeValueAsString", Object.class);
        this.read = mapper.getClass().getMethod("readValue", String.class, Class.class);
    }

    /**
     * Returns a codec with all modules that are on the class path.
     *
     * @throws IllegalStateException if there is no Jackson
     */
    public static OutboxCodec find() {
        Throwable missing = null;
        for (String mapper : MAPPERS) {
            try {
                return of(mapper);
            } catch (ReflectiveOperationException | LinkageError e) {
                missing = e;
            }
        }
        throw new IllegalStateException(
                "codec must be set before building, because Jackson is not on the class path: write one, or add"
                        + " com.fasterxml.jackson.core:jackson-databind, 2.10 or newer",
                missing);
    }

    private static OutboxCodec of(String mapper) throws ReflectiveOperationException {
        Class<?> type = Class.forName(mapper);
        Object builder = type.getMethod("builder").invoke(null);
        Object withModules = builder.getClass().getMethod("findAndAddModules").invoke(builder);
        return new JacksonCodec(withModules.getClass().getMethod("build").invoke(withModules));
    }

    @Override
    public String encode(Object event) throws Exception {
        return (String) call(write, event);
    }

    @Override
    public <E> E decode(String json, Class<E> type) throws Exception {
        return type.cast(call(read, json, type));
    }

    private Object call(Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(mapper, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
