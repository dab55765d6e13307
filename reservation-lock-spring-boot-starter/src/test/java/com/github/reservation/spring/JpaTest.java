// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult.Success;
import com.github.reservation.expiration.Transactor;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** An application with JPA: its transaction manager, its entities, and its slice of tests. */
class JpaTest {

    private static final String WITH_JPA = "spring.autoconfigure.exclude=";

    @Nested
    @DataJpaTest(properties = WITH_JPA)
    @ContextConfiguration(classes = Application.class)
    class WithoutTheStarter {

        @Test
        void theSliceStarts(@Autowired ApplicationContext context) {
            assertThat(context.getBeanNamesForType(ReservationManagers.class)).isEmpty();
        }
    }

    @Nested
    @DataJpaTest(properties = WITH_JPA)
    @ContextConfiguration(classes = Application.class)
    @ImportAutoConfiguration({ReservationAutoConfiguration.class, ReservedAutoConfiguration.class,
            ClaimsAutoConfiguration.class, ExpirationAutoConfiguration.class})
    @Transactional(propagation = Propagation.NOT_SUPPORTED)
    class WithTheStarter {

        @Autowired
        private Users users;

        @Autowired
        private Claims claims;

        @Test
        void anEntityAndItsClaimCommitOrRollBackTogether() {
            Success alice = reserve();
            Success bob = reserve();

            users.complete(alice, "alice", false);
            assertThatExceptionOfType(ArithmeticException.class)
                    .isThrownBy(() -> users.complete(bob, "bob", true));

            assertThat(claims.getReservation(alice.reservationId()).status()).isEqualTo(ClaimStatus.CONFIRMED);
            assertThat(claims.getReservation(bob.reservationId()).status()).isEqualTo(ClaimStatus.RESERVED);
            assertThat(users.exists("alice")).isTrue();
            assertThat(users.exists("bob")).isFalse();
        }

        private Success reserve() {
            return (Success) claims.reserve("email", UUID.randomUUID().toString(), Claims.RECOMMENDED_TTL);
        }

        @Test
        void entitiesTakePartInTheTransactionOfASource(@Autowired Transactor transactor) throws Exception {
            transactor.inTransaction(tx -> users.save("carol"));
            assertThatExceptionOfType(ArithmeticException.class).isThrownBy(() -> transactor.inTransaction(tx -> {
                users.save("dave");
                throw new ArithmeticException();
            }));

            assertThat(users.exists("carol")).isTrue();
            assertThat(users.exists("dave")).isFalse();
        }

        @Test
        void theLockIsReleasedAfterTheCommitOfEntities(@Autowired ReservationManagers managers) {
            users.save("erin");

            assertThat(managers.get("users").getReservation("erin").isLocked()).isFalse();
            assertThat(users.exists("erin")).isTrue();
        }
    }

    @Entity
    @Table(name = "jpa_users")
    static class User {

        @Id
        private String name;

        protected User() {}

        User(String name) {
            this.name = name;
        }
    }

    static class Users {

        private final EntityManager entities;
        private final Claims claims;

        Users(EntityManager entities, Claims claims) {
            this.entities = entities;
            this.claims = claims;
        }

        @Transactional
        public void complete(Success email, String name, boolean fail) {
            entities.persist(new User(name));
            claims.confirm(email.reservationId(), email.token(), name);
            if (fail) {
                throw new ArithmeticException();
            }
        }

        @Reserved(domain = "users", key = "#name")
        @Transactional
        public boolean save(String name) {
            entities.persist(new User(name));
            return CurrentReservation.get().isHeldByCurrentThread();
        }

        @Transactional(readOnly = true)
        public boolean exists(String name) {
            return entities.find(User.class, name) != null;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @Lazy // The slice without the starter has no claims.
        Users users(EntityManager entities, Claims claims) {
            return new Users(entities, claims);
        }
    }
}
