// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.claim.ClaimsBuilder;
import com.github.reservation.spring.ClaimsCustomizer;
import jakarta.servlet.DispatcherType;
import java.util.Locale;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** Who may do what. Pages have a session and CSRF tokens; the API and the actuator know neither, and take a password each time. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {

    private static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self';"
            + " base-uri 'none'; frame-ancestors 'none'";

    /**
     * The API and the actuator. No cookie signs a request in, so another site cannot make a browser send one: that is why they need no
     * CSRF token. The answer to a wrong password does not name the scheme Basic, so that a browser never asks for a password and
     * keeps it.
     */
    @Bean
    @Order(1)
    SecurityFilterChain api(HttpSecurity http) throws Exception {
        return http
                .securityMatcher("/api/**", "/actuator/**")
                .csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(session -> session
                        .sessionCreationPolicy(SessionCreationPolicy.STATELESS)
                        .sessionFixation(fixation -> fixation.none()))
                .httpBasic(basic -> basic.authenticationEntryPoint(new ApiEntryPoint()))
                .exceptionHandling(handling -> handling
                        .authenticationEntryPoint(new ApiEntryPoint())
                        .accessDeniedHandler(new ApiDenial()))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(
                        CONTENT_SECURITY_POLICY)))
                .authorizeHttpRequests(requests -> requests
                        .requestMatchers("/actuator/**").hasRole("OPERATOR")
                        .requestMatchers(HttpMethod.GET, "/api/openapi/**", "/api/stores/**", "/api/products/**")
                        .permitAll()
                        .requestMatchers(HttpMethod.POST, "/api/sign-ups/**").permitAll()
                        .requestMatchers("/api/stores/*/counts").hasAnyRole("STAFF", "OPERATOR")
                        .anyRequest().hasRole("CUSTOMER"))
                .build();
    }

    @Bean
    @Order(2)
    SecurityFilterChain pages(HttpSecurity http, SecurityContextRepository contexts) throws Exception {
        return http
                .csrf(Customizer.withDefaults())
                .securityContext(context -> context.securityContextRepository(contexts))
                .formLogin(form -> form.loginPage("/sign-in").failureUrl("/sign-in?error").permitAll())
                .logout(logout -> logout.logoutUrl("/sign-out").logoutSuccessUrl("/sign-in?signedOut"))
                .headers(headers -> headers
                        .contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_SECURITY_POLICY))
                        .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN)))
                .authorizeHttpRequests(requests -> requests
                        .dispatcherTypeMatchers(DispatcherType.ERROR, DispatcherType.ASYNC).permitAll()
                        .requestMatchers("/operations/**").hasRole("OPERATOR")
                        .requestMatchers("/counts/**").hasAnyRole("STAFF", "OPERATOR")
                        .requestMatchers("/orders/**", "/notifications/**").hasRole("CUSTOMER")
                        .requestMatchers(HttpMethod.POST, "/stores/*/orders").hasRole("CUSTOMER")
                        .anyRequest().permitAll())
                .build();
    }

    @Bean
    SecurityContextRepository securityContextRepository() {
        return new HttpSessionSecurityContextRepository();
    }

    @Bean
    PasswordEncoder passwordEncoder() {
        return new BCryptPasswordEncoder();
    }

    /** One address, however it is written. */
    @Bean
    ClaimsCustomizer<ClaimsBuilder<?>> lowerCaseEmailAddresses() {
        return builder -> builder.normalize(SignUps.TYPE, value -> value.strip().toLowerCase(Locale.ROOT));
    }
}
