// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.claim.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.store.NewClaim;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An exception that may quote a value is replaced; another one stays as it is. */
class RedactionTest {

    private static NewClaim claim(String value) {
        return new NewClaim("res_0", "email", value, Duration.ofMinutes(5), null, "token");
    }

    @Test
    void aShortValueIsNotFoundInOtherWords() {
        SQLException failure = new SQLSyntaxErrorException("Function \"MD5\" not found", "90022", 90022);

        assertThat((Throwable) Redaction.of(failure, claim("n"))).isSameAs(failure);
        assertThat((Throwable) Redaction.of(failure, claim("foun"))).isSameAs(failure);
    }

    @Test
    void aValueThatIsQuotedIsDropped_andTheKindOfFailureStays() {
        SQLException failure = new SQLSyntaxErrorException("Cannot parse 'n'", "90022", 90022);

        SQLException redacted = Redaction.of(failure, claim("n"));

        assertThat((Throwable) redacted).isInstanceOf(SQLSyntaxErrorException.class).hasMessageNotContaining("'n'");
        assertThat(redacted.getErrorCode()).isEqualTo(90022);
        assertThat((Throwable) Redaction.of(new SQLTimeoutException("a.b+c took too long"), claim("a.b+c")))
                .isInstanceOf(SQLTimeoutException.class)
                .hasMessageNotContaining("a.b+c");
    }

    @Test
    void whatDatabasesSayOfDataIsAlwaysDropped() {
        assertThat((Throwable) Redaction.of(new SQLException("Value too long: 'ali...'", "22001"), claim("alice")))
                .hasMessageNotContaining("ali");
        assertThat((Throwable) Redaction.of(new SQLException("Duplicate: xalicex", "23505"), claim("alice")))
                .hasMessageNotContaining("alice");
    }
}
