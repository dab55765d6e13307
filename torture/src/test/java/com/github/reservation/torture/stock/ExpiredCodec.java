// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.stock;

import com.github.reservation.outbox.OutboxCodec;

final class ExpiredCodec implements OutboxCodec {

    @Override
    public String nameOf(Class<?> type) {
        return type == Expired.class ? "expired" : OutboxCodec.super.nameOf(type);
    }

    @Override
    public String encode(Object event) {
        return String.valueOf(((Expired) event).order());
    }

    @Override
    public <E> E decode(String json, Class<E> type) {
        return type.cast(new Expired(Long.parseLong(json)));
    }
}
