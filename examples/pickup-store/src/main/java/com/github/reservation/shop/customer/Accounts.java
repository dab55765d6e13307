// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.shop.Rows;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The accounts of customers and staff. */
@Repository
public class Accounts implements UserDetailsService {

    private static final Duration AT_ONCE = Duration.ofMinutes(1);

    private final JdbcClient jdbc;
    private final PasswordEncoder passwords;
    private final OperatorAccount operator;
    private final Claims claims;

    Accounts(JdbcClient jdbc, PasswordEncoder passwords, OperatorAccount operator, Claims claims) {
        this.jdbc = jdbc;
        this.passwords = passwords;
        this.operator = operator;
        this.claims = claims;
    }

    @Override
    public Account loadUserByUsername(String name) {
        if (name.equals(OperatorAccount.NAME)) {
            return operator.account();
        }
        return find(name.strip().toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new UsernameNotFoundException("No such account"));
    }

    private Optional<Account> find(String email) {
        return jdbc.sql("SELECT id, email, name, password, role FROM customers WHERE email = ?").param(email)
                .query(Account.class).optional();
    }

    /** Creates an account without a form: claims the e-mail address and confirms the claim in one transaction. */
    @Transactional
    public Account create(String email, String name, String password, Role role) {
        if (!(claims.reserve(SignUps.TYPE, email, AT_ONCE) instanceof ReserveResult.Success claim)) {
            throw new IllegalStateException("There is an account of " + email + " already");
        }
        Account account = insert(email, name, password, role);
        if (claims.confirm(claim.reservationId(), claim.token(),
                String.valueOf(account.id())) instanceof ConfirmResult.Failure failure) {
            throw new IllegalStateException(failure.message());
        }
        return account;
    }

    /** Inserts an account whose e-mail address the caller has claimed. */
    Account insert(String email, String name, String password, Role role) {
        String hash = String.valueOf(passwords.encode(password));
        KeyHolder key = new GeneratedKeyHolder();
        jdbc.sql("INSERT INTO customers (email, name, password, role) VALUES (?, ?, ?, ?)")
                .params(email, name, hash, role.name()).update(key, "id");
        return new Account(Rows.id(key), email, name, hash, role);
    }
}
