// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.Shop;
import com.github.reservation.shop.customer.Account;
import com.github.reservation.shop.customer.Role;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@RunningShop
class StockCountsTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private StockCounts counts;

    @Autowired
    private CountBook book;

    private CountView store(long id) {
        return counts.list().stream().filter(one -> one.store().id() == id).findFirst().orElseThrow();
    }

    @Test
    void theSecondClickSeesWhoCountsAndForHowLong() {
        Shop shop = new Shop(mvc, jdbc);
        Account sam = shop.account(Role.STAFF);
        Account tina = shop.account(Role.STAFF);

        CompletableFuture<MvcTestResult> first =
                CompletableFuture.supplyAsync(() -> shop.submit(sam, "/counts/2"));
        await().until(() -> store(2).running() != null && store(2).running().by().equals(sam.name()));
        MvcTestResult second = shop.submit(tina, "/counts/2");

        assertThat(second).hasRedirectedUrl("/counts").flash().extractingByKey("outcome")
                .isInstanceOfSatisfying(CountOutcome.class, outcome -> {
                    assertThat(outcome.kind()).isEqualTo("busy");
                    assertThat(outcome.text()).contains(sam.name(), "The lock ends in 0:");
                });
        assertThat(first.join()).flash().extractingByKey("outcome")
                .isInstanceOfSatisfying(CountOutcome.class, outcome -> assertThat(outcome.kind()).isEqualTo("counted"));
        assertThat(store(2).running()).isNull();
        assertThat(store(2).last().by()).isEqualTo(sam.name());
        assertThat(shop.get(tina, "/counts")).hasStatusOk().bodyText().contains(sam.name());
        assertThat(shop.get(tina, "/counts/list")).hasStatusOk();
    }

    @Test
    void theLateWriteOfACountThatLostItsLockIsRefused() throws InterruptedException {
        CountResult result = counts.countSlowly(1, "Sam");

        assertThat(result).isInstanceOfSatisfying(CountResult.Lost.class, lost -> {
            assertThat(lost.refused()).isTrue();
            assertThat(lost.steps()).hasSize(4);
        });
        assertThat(store(1).last().by()).as("the count of the new holder stands").isEqualTo("Night shift");
    }

    @Test
    void aCountThatTheBookRefusesIsNotReportedAsCounted() throws InterruptedException {
        CountView before = store(2);
        book.start(2, "Tomorrow", Long.MAX_VALUE);

        try {
            assertThat(counts.count(2, "Sam")).isInstanceOfSatisfying(
                    CountResult.Lost.class, lost -> assertThat(lost.refused()).isTrue());
            assertThat(store(2).last()).isEqualTo(before.last());
        } finally {
            jdbc.sql("UPDATE stock_counts SET fence = 0 WHERE store_id = 2").update();
        }
    }

    @Test
    void aCountWithoutATokenIsWrittenAfterOneThatHadOne() {
        book.start(1, "Sam", 7);
        assertThat(book.write(1, "Sam", 10, 7)).isTrue();

        book.start(1, "Tina", 0);
        assertThat(book.counter(1)).contains("Tina");
        assertThat(book.write(1, "Tina", 11, 0)).isTrue();

        assertThat(store(1).last().by()).isEqualTo("Tina");
        assertThat(book.write(1, "Sam", 12, 6)).as("a token that is older than 7").isFalse();
    }
}
