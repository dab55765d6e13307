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
import com.hazelcast.map.MapPartitionLostEvent;
import com.hazelcast.map.listener.MapPartitionLostListener;
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
 * Wraps a real member or client and intercepts calls to its maps, so that a test can make a rare event happen in the middle of
 * a call.
 */
public final class CallInterceptor {

    /** What to do instead of a call; {@code real} makes the call itself, from any thread, in the name of the caller. */
    @FunctionalInterface
    public interface Interception {
        Object instead(Callable<Object> real) throws Exception;
    }

    private final HazelcastInstance instance;
    private final Map<String, Queue<Interception>> plans = new ConcurrentHashMap<>();

    private final List<LifecycleListener> listeners = new CopyOnWriteArrayList<>();
    private final List<MembershipListener> membershipListeners = new CopyOnWriteArrayList<>();

    private final List<MapPartitionLostListener> partitionListeners = new CopyOnWriteArrayList<>();

    public CallInterceptor(HazelcastInstance instance) {
        this.instance = instance;
    }

    /** Intercepts the next call of the method that no earlier plan intercepts. */
    public void next(String method, Interception interception) {
        plans.computeIfAbsent(method, m -> new ConcurrentLinkedQueue<>()).add(interception);
    }

    public HazelcastInstance instance() {
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

    /** Tells the listeners that the instance has entered a state, although it has not. */
    void pretend(LifecycleState state) {
        listeners.forEach(listener -> listener.stateChanged(new LifecycleEvent(state)));
    }

    /** Tells the listeners that a member is gone, although none is. */
    void pretendThatAMemberIsGone() {
        membershipListeners.forEach(listener -> listener.memberRemoved(null));
    }

    /** Tells the listeners that the partition of the key is lost, although it is not. */
    void pretendThatThePartitionIsLost(String key) {
        int partition = instance.getPartitionService().getPartition(key).getPartitionId();
        partitionListeners
                .forEach(listener -> listener.partitionLost(new MapPartitionLostEvent("test", null, 0, partition)));
    }

    /** Returns whether anything listens for lost partitions. */
    boolean hasPartitionListener() {
        return !partitionListeners.isEmpty();
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
            Queue<Interception> planned = plans.get(method.getName());
            Interception interception = planned == null ? null : planned.poll();
            if (interception == null) {
                Object result = invoke(map, method, arguments);
                if (method.getName().equals("addPartitionLostListener")) {
                    partitionListeners.add((MapPartitionLostListener) arguments[0]);
                }
                return result;
            }
            long caller = ThreadUtil.getThreadId();
            return interception.instead(() -> inTheNameOf(caller, () -> invoke(map, method, arguments)));
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
                CallInterceptor.class.getClassLoader(),
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
