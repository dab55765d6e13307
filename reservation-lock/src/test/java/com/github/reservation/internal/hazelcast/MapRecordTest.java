// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.internal.base.LeaseRow;
import com.github.reservation.store.LeaseId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapRecordTest {

    private static final long NOON = Instant.parse("2025-01-01T12:00:00Z").toEpochMilli() * 1000;

    private static LeaseRow row(String holder, String... waiters) {
        return new LeaseRow(new LeaseId("42", holder), NOON, NOON, NOON + 60_000_000, List.of(waiters), NOON);
    }

    @Test
    void aHeldKeyBeginsWithItsHolderAndTheTime_andTheSecretComesLast() {
        String text = MapRecord.next(null, row("worker-3-57@app-1/4711-c0ffee")).text();

        assertThat(text)
                .startsWith("holder=worker-3-57@app-1/4711,acquired=2025-01-01T12:00:00.000Z,fence=1735732800000000,")
                .endsWith(",id=-c0ffee");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "worker-3-57@app-1/4711-c0ffee", "plain", "-", "a-", "x,acquired=now,fence=1-y", "line\nbreak-z", "a,id=b",
            "100%-y", "%2C-%25",
            "x-,acquired=1,fence=5,from=1,end=1,kept=1,forced=0,version=1,queue=,id=z",
            "x,acquired=1,fence=5,from=1,end=1,kept=1,forced=0,version=1,queue=,id=-z"})
    void whatIsWrittenIsRead(String holder) {
        LeaseRow held = row(holder, "node-a", "node-b");
        MapRecord first = MapRecord.next(null, held);
        MapRecord free = MapRecord.next(first, held.released(NOON + 1));

        assertThat(MapRecord.parse("42", first.text()).orElseThrow().row()).isEqualTo(held);
        assertThat(MapRecord.parse("42", free.text()).orElseThrow().row()).isEqualTo(held.released(NOON + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "something else", "holder=main-1@host/4711,acquired=2025-01-01T12:00:00.000Z",
            "free,since=x",
            "free,since=x,fence=99999999999999999999,from=1,end=1,kept=1,forced=0,version=1,queue=,id="})
    void whatSomethingElseHasWrittenIsNotRead(String text) {
        assertThat(MapRecord.parse("42", text)).isEmpty();
    }

    @Test
    void noTextIsWrittenTwice_alsoIfTheRowIsAsBefore() {
        LeaseRow alone = row("a-1");
        MapRecord first = MapRecord.next(null, alone);
        MapRecord joined = MapRecord.next(first, alone.withWaiter("node"));
        MapRecord left = MapRecord.next(joined, alone);

        assertThat(left.row()).isEqualTo(first.row());
        assertThat(left.isSame(first)).isFalse();
        assertThat(left.isAfter(joined)).isTrue();
        assertThat(first.isAfter(joined)).isFalse();
    }

    @Test
    void aReleaseByForceIsRemembered() {
        MapRecord held = MapRecord.next(null, row("a-1"));
        MapRecord released = MapRecord.next(held, held.row().released(NOON));
        MapRecord forced = MapRecord.forced(held, held.row().released(NOON));
        MapRecord next = MapRecord.next(forced, row("b-2"));

        assertThat(released.tellsOfForceSince(held)).isFalse();
        assertThat(forced.tellsOfForceSince(held)).isTrue();
        assertThat(MapRecord.parse("42", next.text()).orElseThrow().tellsOfForceSince(held)).isTrue();
    }
}
