// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.expiration.ExpirationJob;
import com.github.reservation.expiration.FailedRow;
import com.github.reservation.expiration.SourceRun;
import com.github.reservation.expiration.TableExpirationSource;
import com.github.reservation.expiration.TableExpirationSourceBuilder;
import com.github.reservation.expiration.Transactor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A service in Spring's transaction fails for one of three rows: the others expire, and nothing is done twice. */
class ExpirationFailureTest {

    /** A {@code @Transactional} service that joins the transaction, and marks it to be rolled back when it throws. */
    private record Stock(TransactionTemplate transaction, JdbcTemplate jdbc) {

        void giveBack(long order) {
            transaction.executeWithoutResult(status -> {
                jdbc.update("UPDATE stock SET free = free + 1");
                if (order == 2) {
                    throw new IllegalStateException("poison");
                }
            });
        }
    }

    @Test
    void workForABatchThatFails() {
        assertOnlyRow2IsLeft(stock -> source().expireBatch((tx, batch) -> batch.rows().forEach(stock::giveBack)));
    }

    @Test
    void workForARowThatFails() {
        assertOnlyRow2IsLeft(stock -> source().expireRow((tx, order) -> stock.giveBack(order)));
    }

    @Test
    void workThatCatchesWhatTheServiceThrew() {
        assertOnlyRow2IsLeft(stock -> source().expireRow((tx, order) -> {
            try {
                stock.giveBack(order);
            } catch (IllegalStateException swallowed) {
                assertThat(swallowed).hasMessage("poison");
            }
        }));
    }

    @Test
    void workThatMarksItsTransactionToBeRolledBack() {
        assertOnlyRow2IsLeft(stock -> source().expireBatch((tx, batch) -> stock.transaction.executeWithoutResult(
                status -> {
                    batch.rows().forEach(order -> stock.jdbc.update("UPDATE stock SET free = free + 1"));
                    if (batch.rows().contains(2L)) {
                        status.setRollbackOnly();
                    }
                })));
    }

    /** What is committed stays committed, whatever a listener of Spring does then. */
    @Test
    void aListenerThatFailsAfterTheCommitHarmsNoRow() {
        SourceRun run = runOn(jdbc -> {}, stock -> source().expireBatch((tx, batch) -> {
            batch.rows().forEach(order -> stock.jdbc.update("UPDATE stock SET free = free + 1"));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    throw new IllegalStateException("after the commit");
                }
            });
        }));

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).isEmpty();
        assertThat(run.processedCount()).isEqualTo(3);
    }

    private static TableExpirationSourceBuilder<Long> source() {
        return TableExpirationSource.builder("orders", row -> row.getLong("id"))
                .table("orders")
                .key("id")
                .status("status", "HELD", "EXPIRED")
                .expiresAt("ends_at");
    }

    private static void assertOnlyRow2IsLeft(Function<Stock, TableExpirationSourceBuilder<Long>> source) {
        SourceRun run = runOn(
                jdbc -> assertThat(jdbc.queryForObject("SELECT free FROM stock", Integer.class)).isEqualTo(2), source);

        assertThat(run.failure()).isEmpty();
        assertThat(run.failedRows()).extracting(FailedRow::row).containsExactly("2");
        assertThat(run.processedCount()).isEqualTo(2);
    }

    private static SourceRun runOn(
            Consumer<JdbcTemplate> after, Function<Stock, TableExpirationSourceBuilder<Long>> source) {
        AtomicReference<SourceRun> run = new AtomicReference<>();
        Starter.withJdbc().run(context -> {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY, status VARCHAR(10), ends_at TIMESTAMP)");
            jdbc.execute(
                    "INSERT INTO orders SELECT x, 'HELD', TIMESTAMP '2020-01-01 00:00:00' FROM system_range(1, 3)");
            jdbc.execute("CREATE TABLE stock (free INT)");
            jdbc.execute("INSERT INTO stock VALUES (0)");
            Stock stock = new Stock(new TransactionTemplate(context.getBean(PlatformTransactionManager.class)), jdbc);

            try (ExpirationJob job = ExpirationJob.builder()
                    .source(source.apply(stock).transactor(context.getBean(Transactor.class)).build())
                    .build()) {
                run.set(job.runOnce().sources().getFirst());
            }
            after.accept(jdbc);
        });
        return run.get();
    }
}
