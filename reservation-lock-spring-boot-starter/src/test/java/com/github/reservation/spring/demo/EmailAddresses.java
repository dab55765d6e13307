// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.spring.ClaimsCustomizer;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
public class EmailAddresses {

    // @start region="normalize"
    @Bean
    ClaimsCustomizer<ClaimsBuilder<?>> lowerCaseEmailAddresses() {
        return builder -> builder.normalize("email", value -> value.strip().toLowerCase(Locale.ROOT));
    }
    // @end
}
