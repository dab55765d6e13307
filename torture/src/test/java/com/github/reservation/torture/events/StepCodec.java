// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

import com.github.reservation.outbox.OutboxCodec;

final class StepCodec implements OutboxCodec {

    @Override
    public String nameOf(Class<?> type) {
        return type == Step.class ? "step" : OutboxCodec.super.nameOf(type);
    }

    @Override
    public String encode(Object event) {
        return String.valueOf(((Step) event).number());
    }

    @Override
    public <E> E decode(String json, Class<E> type) {
        return type.cast(new Step(Long.parseLong(json)));
    }
}
