// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.ClaimsBuilder;

/**
 * Changes the builder of the bean {@link com.github.reservation.claim.Claims} before it is built: for normalisers, and for everything
 * else that has no property. Define beans of this type; they are called in the order of
 * {@link org.springframework.core.annotation.Order}.
 *
 * {@snippet file="com/github/reservation/spring/demo/EmailAddresses.java" region="normalize"}
 *
 * @param <B> the builder; a customizer is only called for builders of this type
 */
@FunctionalInterface
public interface ClaimsCustomizer<B extends ClaimsBuilder<?>> {

    /** Changes the builder. */
    void customize(B builder);
}
