// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.hazelcast;

import com.hazelcast.cluster.Cluster;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import com.hazelcast.core.LifecycleListener;
import com.hazelcast.core.LifecycleService;
import com.hazelcast.internal.util.ThreadUtil;
import com.hazelcast.map.IMap;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between the library and a real member or client, and lets something happen in the middle of a call to a map that in
 * truth happens there once in a long while.
 */
final class Meddler {

    /** What to do instead of a call; {@code real} is the call itself, for any thread, in the name of whoever has called. */
    @FunctionalInterface
    interface Meddling {
        Object instead(Callable<Object> real) throws Exception;
    }

    private final HazelcastInstance instance;
    private final Map<String, Queue<Meddling>> plans = new ConcurrentHashMap<>();

    private final List<LifecycleListener> listeners = new CopyOnWriteArrayList<>();
    private final List<MembershipListener> membershipListeners = new CopyOnWriteArrayList<>();

    Meddler(HazelcastInstance instance) {
        this.instance = instance;
    }

    /** Plans what to do at the next call of the method; after those that are planned already. */
    void next(String method, Meddling meddling) {
        plans.computeIfAbsent(method, m -> new ConcurrentLinkedQueue<>()).add(meddling);
    }

    HazelcastInstance instance() {
        return proxy(HazelcastInstance.class, (method, arguments) -> {
            Object result = invoke(instance, method, arguments);
            return switch (method.getName()) {
                case "getMap" -> map(result);
                case "getLifecycleService" -> lifecycle(result);
                case "getCluster" -> cluster(result);
                default -> result;
            };
        });
    }

    /** Tells whoever listens that the instance has come to a state, although it has not. */
    void pretend(LifecycleState state) {
        listeners.forEach(listener -> listener.stateChanged(new LifecycleEvent(state)));
    }

    /** Tells whoever listens that a member is gone, although none is. */
    void pretendThatAMemberIsGone() {
        membershipListeners.forEach(listener -> listener.memberRemoved(null));
    }

    private Object cluster(Object cluster) {
        return proxy(Cluster.class, (method, arguments) -> {
            if (method.getName().equals("addMembershipListener")) {
                membershipListeners.add((MembershipListener) arguments[0]);
            }
            return invoke(cluster, method, arguments);
        });
    }

    private Object lifecycle(Object service) {
        return proxy(LifecycleService.class, (method, arguments) -> {
            if (method.getName().equals("addLifecycleListener")) {
                listeners.add((LifecycleListener) arguments[0]);
            }
            return invoke(service, method, arguments);
        });
    }

    private Object map(Object map) {
        return proxy(IMap.class, (method, arguments) -> {
            Queue<Meddling> planned = plans.get(method.getName());
            Meddling meddling = planned == null ? null : planned.poll();
            if (meddling == null) {
                return invoke(map, method, arguments);
            }
            long caller = ThreadUtil.getThreadId();
            return meddling.instead(() -> inTheNameOf(caller, () -> invoke(map, method, arguments)));
        });
    }

    private static Object inTheNameOf(long caller, Callable<Object> call) throws Exception {
        long self = ThreadUtil.getThreadId();
        ThreadUtil.setThreadId(caller);
        try {
            return call.call();
        } finally {
            ThreadUtil.setThreadId(self);
        }
    }

    @FunctionalInterface
    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                Meddler.class.getClassLoader(),
                new Class<?>[]{type},
                (proxy, method, arguments) -> handler.handle(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }
}
