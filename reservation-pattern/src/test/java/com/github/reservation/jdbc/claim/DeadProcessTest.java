// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.claim.ReserveResult.Conflict;
import com.github.reservation.claim.ReserveResult.Success;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.jdbc.lock.Databases;
import com.zaxxer.hikari.HikariDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is killed after it has reserved a value, and before it could confirm it. */
@ParameterizedClass
@EnumSource(value = Databases.class, names = {"POSTGRESQL", "MARIADB", "MYSQL"})
@SideBySide
class DeadProcessTest extends OnClaimTable {

    @Test
    void itsValueIsFreeAfterTheTtl_andItsTokenIsWorthNothingThen() {
        Claims claims = claims();
        String[] dead;
        try (ChildJvm jvm = start(database.pool(1))) {
            dead = jvm.answer().split(" ");
            jvm.kill();
        }
        assertThat(claims.reserve("email", ALICE, LONG)).isInstanceOf(Conflict.class);

        database.execute("UPDATE RESERVATION_CLAIMS SET expires_at = TIMESTAMP '2020-01-01 00:00:00'");
        Success next = (Success) claims.reserve("email", ALICE, LONG);

        assertThat(next.reservationId()).isEqualTo(dead[0]);
        assertThat(claims.confirm(dead[0], new ClaimToken(dead[1]), "dead").status()).isEqualTo("error");
        assertThat(claims.confirm(next.reservationId(), next.token(), "alive").status()).isEqualTo("success");
    }

    private static ChildJvm start(HikariDataSource pool) {
        List<String> arguments = new ArrayList<>(ChildJvm.SMALL);
        arguments.addAll(List.of(
                "-classpath",
                System.getProperty("java.class.path"),
                DeadProcessTest.class.getName(),
                pool.getJdbcUrl(),
                pool.getUsername(),
                String.valueOf(pool.getPassword())));
        return new ChildJvm(ChildJvm.newDirectory(), arguments);
    }

    /** Reserves the value, prints its id and token, and stays. */
    public static void main(String[] args) throws InterruptedException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(args[0]);
        pool.setUsername(args[1]);
        pool.setPassword(args[2]);
        ReserveResult reserved = Claims.jdbc(pool).build().reserve("email", ALICE, LONG);
        if (reserved instanceof Success success) {
            System.out.println(success.reservationId() + " " + success.token().value());
        }
        TimeUnit.MINUTES.sleep(1);
    }
}
