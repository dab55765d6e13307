// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import java.util.List;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.userdetails.UserDetails;

/**
 * Someone who can sign in.
 *
 * @param id the id of the customer; 0 for the operator, who has no row in the database
 * @param password the hash of the password
 */
public record Account(long id, String email, String name, String password, Role role) implements UserDetails {

    @Override
    public List<GrantedAuthority> getAuthorities() {
        return List.of(new SimpleGrantedAuthority("ROLE_" + role));
    }

    @Override
    public String getPassword() {
        return password;
    }

    @Override
    public String getUsername() {
        return email;
    }

    /** Leaves out the hash. */
    @Override
    public String toString() {
        return "Account[" + id + ", " + role + ']';
    }
}
