// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.claim.ClaimConfirmed;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReserveResult;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;

@Service
public class SignUp {

    private final List<String> welcomed = new ArrayList<>();

    private final Claims claims;
    private final JdbcTemplate jdbc;

    public SignUp(Claims claims, JdbcTemplate jdbc) {
        this.claims = claims;
        this.jdbc = jdbc;
    }

    // @start region="claims"
    public ReserveResult reserve(String email) {
        return claims.reserve("email", email, Claims.RECOMMENDED_TTL);
    }

    @Transactional
    public void complete(String reservationId, ClaimToken token, String userId) {
        jdbc.update("INSERT INTO users (id) VALUES (?)", userId);
        if (claims.confirm(reservationId, token, userId) instanceof ConfirmResult.Failure failure) {
            throw new IllegalStateException(failure.message()); // and the user is rolled back
        }
    }
    // @end

    // @start region="events"
    @TransactionalEventListener
    public void welcome(ClaimConfirmed event) {
        welcomed.add(event.entityId());
    }
    // @end

    public List<String> welcomed() {
        return welcomed;
    }
}
