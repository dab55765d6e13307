// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.expiration.ExpirationJobBuilder;

/**
 * Changes the builder of the bean {@link com.github.reservation.expiration.ExpirationJob} before it is built. Define beans of this
 * type; they are called in the order of {@link org.springframework.core.annotation.Order}, after all sources were added.
 */
@FunctionalInterface
public interface ExpirationJobCustomizer {

    /** Changes the builder. */
    void customize(ExpirationJobBuilder builder);
}
