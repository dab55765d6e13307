// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import com.github.reservation.claim.Claims;
import com.github.reservation.expiration.ExpirationSource;
import com.github.reservation.expiration.ExpirationTally;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Marks claims that are over, if the application uses claims: the bean is lazy, and a job must not be the first to ask for it, because
 * then every application would need a table of claims.
 */
record UsedClaims(ConfigurableListableBeanFactory beans) implements ExpirationSource {

    static final String NAME = "claims";

    /** Returns the beans that were made already. */
    List<Claims> inUse() {
        return Stream.of(beans.getBeanNamesForType(Claims.class, true, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, Claims.class))
                .toList();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Duration interval() {
        return Duration.ofMinutes(5);
    }

    @Override
    public void expire(ExpirationTally tally) throws Exception {
        for (Claims claims : inUse()) {
            ExpirationSource.of(claims).expire(tally);
        }
    }

    @Override
    public Duration lag() {
        return inUse().stream().map(Claims::expirationLag).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }
}
