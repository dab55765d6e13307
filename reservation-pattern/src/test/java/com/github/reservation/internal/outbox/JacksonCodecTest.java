// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.github.reservation.outbox.OutboxCodec;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What the outbox does with the Jackson that it finds. */
class JacksonCodecTest {

    record Paid(String order, Instant at) {}

    private final OutboxCodec codec = JacksonCodec.find();
    private final Paid event = new Paid("order-42", Instant.parse("2026-11-16T12:00:00.123456Z"));

    @Test
    void anEventIsJsonAsJacksonWritesIt_andComesBack() throws Exception {
        String json = codec.encode(event);

        assertThat(json)
                .isEqualTo(JsonMapper.builder().addModule(new JavaTimeModule()).build().writeValueAsString(event));
        assertThat(codec.decode(json, Paid.class)).isEqualTo(event);
    }

    @Test
    void whatJacksonThrowsIsThrown() {
        assertThatThrownBy(() -> codec.decode("no json", Paid.class))
                .hasMessageContaining("Unrecognized token 'no'");
    }
}
