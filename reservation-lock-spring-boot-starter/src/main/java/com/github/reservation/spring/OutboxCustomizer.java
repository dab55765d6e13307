// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.outbox.OutboxBuilder;

/**
 * Changes the builder of the bean {@link com.github.reservation.outbox.Outbox} before it is built. Define beans of this type; they are
 * called in the order of {@link org.springframework.core.annotation.Order}.
 */
@FunctionalInterface
public interface OutboxCustomizer {

    /** Changes the builder. */
    void customize(OutboxBuilder builder);
}
