// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.lock;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.jdbc.JdbcLeaseStore;
import com.github.reservation.store.AcquireRequest;
import com.github.reservation.store.Acquisition;
import com.github.reservation.store.LeaseId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A holder passes its key on, and is not granted it again, as the store sees it. */
@ParameterizedClass
@EnumSource(names = {"POSTGRESQL", "MARIADB", "MYSQL", "H2_IN_MEMORY", "ORACLE_MODE"})
class PassingTest extends OnContendedKey {

    @Test
    void aHolderIsNotGrantedItsKeyAgainEvenIfItWaits() throws Exception {
        JdbcLeaseStore leases = key.leases();
        LeaseId lease = new LeaseId("orders::42", "a");
        assertThat(leases.acquire(ContendedKey.request(lease, "node-node-node-a")))
                .isInstanceOf(Acquisition.Granted.class);

        assertThat(leases.acquire(ContendedKey.request(lease, "node-node-node-a")))
                .isInstanceOf(Acquisition.Refused.class);
    }

    @Test
    void aHolderWhoseLeaseWasEndedIsNotGrantedAKeyThatIsReservedForAnother() throws Exception {
        JdbcLeaseStore leases = key.leases();
        LeaseId lease = new LeaseId("orders::42", "a");
        LeaseId other = new LeaseId("orders::42", "b");
        assertThat(leases.acquire(ContendedKey.request(lease, "node-node-node-a")))
                .isInstanceOf(Acquisition.Granted.class);
        assertThat(leases.acquire(ContendedKey.request(other, "node-node-node-b")))
                .isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.forceRelease("orders::42")).contains(lease);

        assertThat(leases.acquire(ContendedKey.request(lease, "node-node-node-a")))
                .isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.acquire(ContendedKey.request(other, "node-node-node-b")))
                .isInstanceOf(Acquisition.Granted.class);
    }

    @Test
    void aNodePassesTheKeyOnBeforeOthersOnlyIfItMayStay() throws Exception {
        JdbcLeaseStore leases = key.leases();
        LeaseId first = new LeaseId("orders::42", "a1");
        AcquireRequest second = ContendedKey.request(new LeaseId("orders::42", "a2"), "node-node-node-a");
        AcquireRequest other = ContendedKey.request(new LeaseId("orders::42", "b"), "node-node-node-b");
        long fence = fenceOf(leases.acquire(ContendedKey.request(first, "node-node-node-a")));
        assertThat(leases.acquire(second)).isInstanceOf(Acquisition.Refused.class);
        assertThat(leases.acquire(other)).isInstanceOf(Acquisition.Refused.class);
        assertThat(key.queue().nodes()).hasSize(2);

        assertThat(leases.pass(first, second, false)).isEmpty();
        assertThat(leases.find("orders::42").orElseThrow().id()).isEqualTo(first);
        assertThat(key.queue().nodes()).hasSize(2);

        assertThat(leases.pass(first, second, true)).hasValueSatisfying(
                granted -> assertThat(granted.fence().orElseThrow()).isGreaterThan(fence));
        assertThat(leases.find("orders::42").orElseThrow().id()).isEqualTo(second.lease());
        assertThat(key.queue().nodes()).containsExactly("node-node-node-b");
        assertThat(leases.pass(first, second, true)).as("the first has it no longer").isEmpty();
    }

    @Test
    void aNodeThatWaitsAlonePassesTheKeyOnAsOftenAsItLikes() throws Exception {
        JdbcLeaseStore leases = key.leases();
        LeaseId first = new LeaseId("orders::42", "a1");
        AcquireRequest second = ContendedKey.request(new LeaseId("orders::42", "a2"), "node-node-node-a");
        AcquireRequest third = ContendedKey.request(new LeaseId("orders::42", "a3"), "node-node-node-a");
        assertThat(leases.acquire(ContendedKey.request(first, "node-node-node-a")))
                .isInstanceOf(Acquisition.Granted.class);
        assertThat(leases.acquire(second)).isInstanceOf(Acquisition.Refused.class);
        assertThat(key.queue().nodes()).hasSize(1);

        assertThat(leases.pass(first, second, false)).isPresent();
        assertThat(key.queue().text()).isNull();
        assertThat(leases.pass(second.lease(), third, false)).isPresent();
    }

    private static long fenceOf(Acquisition answer) {
        return ((Acquisition.Granted) answer).fence().orElseThrow();
    }
}
