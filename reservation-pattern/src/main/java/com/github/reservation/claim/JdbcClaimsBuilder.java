// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.claim;

import com.github.reservation.Ticker;
import com.github.reservation.internal.claim.ClaimMeters;
import com.github.reservation.internal.claim.ClaimOutbox;
import com.github.reservation.internal.claim.StoreClaims;
import com.github.reservation.internal.claim.jdbc.JdbcClaims;
import com.github.reservation.internal.sql.PurgeScope;
import com.github.reservation.internal.sql.SqlTable;
import com.github.reservation.internal.sql.TableName;
import com.github.reservation.jdbc.Database;
import com.github.reservation.outbox.Outbox;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds claims in a table of a relational database. A builder is not thread-safe; what it builds is. */
public final class JdbcClaimsBuilder extends ClaimsBuilder<JdbcClaimsBuilder> {

    private static final Duration SHORTEST_PURGE_AFTER = Duration.ofDays(1);

    private final DataSource dataSource;
    private @Nullable Database database;
    private TableName tableName = JdbcClaims.DEFAULT_TABLE;
    private Duration queryTimeout = Duration.ofSeconds(5);
    private Duration transactionWait = Duration.ofSeconds(2);
    private Optional<Duration> purgeAfter = Optional.of(Duration.ofDays(30));
    private @Nullable ClaimOutbox outbox;

    /** Creates a builder, like {@link Claims#jdbc(DataSource)}. */
    public JdbcClaimsBuilder(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource must not be null");
    }

    /** Sets the database. Default: detected on the first connection. */
    public JdbcClaimsBuilder database(Database database) {
        this.database = Objects.requireNonNull(database, "database must not be null");
        return this;
    }

    /**
     * Sets the name of the table, with or without its schema. Default: {@code RESERVATION_CLAIMS}.
     *
     * @throws IllegalArgumentException if it is neither a plain identifier nor two of them separated by a dot
     */
    public JdbcClaimsBuilder tableName(String tableName) {
        this.tableName = new TableName(tableName);
        return this;
    }

    /**
     * Sets how long a statement may run before it is cancelled. Default: 5 seconds. H2 ignores this option: it limits only its own
     * waits for row locks.
     *
     * @throws IllegalArgumentException if it is shorter than 1 second or longer than {@link Integer#MAX_VALUE} seconds
     */
    public JdbcClaimsBuilder queryTimeout(Duration queryTimeout) {
        this.queryTimeout = SqlTable.requireSeconds("queryTimeout", queryTimeout);
        return this;
    }

    /**
     * Sets how long a statement in a caller's transaction may run, see {@link Claims#in}: above all, how long it waits for another
     * transaction that has the same value. Default: 2 seconds. H2 ignores this option: its own {@code LOCK_TIMEOUT} is the limit.
     *
     * @throws IllegalArgumentException if it is shorter than 1 second or longer than {@link Integer#MAX_VALUE} seconds
     */
    public JdbcClaimsBuilder transactionWait(Duration transactionWait) {
        this.transactionWait = SqlTable.requireSeconds("transactionWait", transactionWait);
        return this;
    }

    /**
     * Sets how long after its end the row of a released or expired claim is deleted. The purge runs about once an hour. Default: 30
     * days. {@link Duration#ZERO} keeps all rows; MariaDB before 10.6 needs that. The rows of confirmed claims always stay.
     *
     * @throws IllegalArgumentException if it is neither zero nor at least 1 day
     */
    public JdbcClaimsBuilder purgeAfter(Duration purgeAfter) {
        this.purgeAfter = PurgeScope.requireAfter(purgeAfter, SHORTEST_PURGE_AFTER);
        return this;
    }

    /**
     * Sets an outbox that gets events of changes, in the transaction of the change: also of a change in a caller's transaction, and also
     * if the process dies after the commit. The key of an event is the id of its claim. The codec of the outbox must know the types. A
     * change whose event is not chosen costs nothing more. Default: none.
     *
     * @param outbox must use the database of these claims
     * @param types which events the outbox gets: classes like {@link ClaimConfirmed}; none of them, or {@link ClaimEvent} itself, means all
     * @throws IllegalArgumentException if one of the types is not a type of claim events
     */
    @SafeVarargs
    public final JdbcClaimsBuilder outbox(Outbox outbox, Class<? extends ClaimEvent>... types) {
        Set<Class<?>> chosen = new HashSet<>();
        for (Class<?> type : types) {
            requireEvent(type);
            chosen.add(type);
        }
        return outbox(outbox, chosen.isEmpty() || chosen.contains(ClaimEvent.class) ? type -> true : chosen::contains);
    }

    private static void requireEvent(Class<?> type) {
        if (!ClaimEvent.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException("types must be types of ClaimEvent, but one is " + type.getName());
        }
    }

    /**
     * Does what {@link #outbox(Outbox, Class[])} does, for types that are known later: the filter is asked at each change.
     *
     * @param types whether the outbox gets events of a class; must be thread-safe and return quickly
     */
    public JdbcClaimsBuilder outbox(Outbox outbox, Predicate<? super Class<? extends ClaimEvent>> types) {
        this.outbox = new ClaimOutbox(outbox, types);
        return this;
    }

    /** Builds claims without a call to the database. Close them when they are no longer needed: that ends the purge. */
    public Claims build() {
        JdbcClaims claims = new JdbcClaims(
                SqlTable.of(dataSource, database, tableName, queryTimeout, JdbcClaims.DDL),
                transactionWait,
                purgeAfter,
                outbox);
        return StoreClaims.open(
                claims,
                Ticker.system(),
                normalizers(),
                ClaimMeters.of(meterRegistry(), "jdbc"));
    }
}
