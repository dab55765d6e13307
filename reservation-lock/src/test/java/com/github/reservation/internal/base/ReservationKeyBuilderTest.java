// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.github.reservation.InvalidReservationKeyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationKeyBuilderTest {

    private static final String EMOJI = "\uD83D\uDD12";
    private static final char HIGH = '\uD83D';
    private static final char LOW = '\uDD12';

    private final ReservationKeyBuilder orders = new ReservationKeyBuilder("orders");

    @Test
    void aKeyIsTheDomainTwoColonsAndTheIdentifier() {
        assertThat(orders.build("identifier", "42")).isEqualTo("orders::42");
    }

    @Test
    void thePrefixIsWhatAllKeysOfTheDomainStartWith() {
        assertThat(orders.prefix()).isEqualTo("orders::");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "a", "A", " ", "a ", " a", "é", "e\u0301", "\n", "a:b", ":a", EMOJI, "a" + EMOJI + "b", "日本"})
    void whateverIsNotForbiddenStandsInTheKeyAsItIs(String text) {
        assertThat(orders.build("identifier", text)).isEqualTo("orders::" + text);
        assertThat(new ReservationKeyBuilder(text).build("identifier", "42")).isEqualTo(text + "::42");
    }

    @ParameterizedTest
    @ValueSource(strings = {":", ":a", "a:", ":a:", "a:b", ":a:b:"})
    void anIdentifierMayHaveSingleColonsAnywhere(String identifier) {
        assertThat(orders.build("identifier", identifier)).isEqualTo("orders::" + identifier);
    }

    @ParameterizedTest
    @ValueSource(strings = {"::", "::a", "a::", "a::b", ":::", "a:::b", "a::b::c"})
    void twoColonsAreRefusedWhereverTheyStand(String text) {
        assertThatThrownBy(() -> orders.build("identifier", text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("identifier must not contain '::', but is \"" + text + "\"");
        assertThatThrownBy(() -> new ReservationKeyBuilder(text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("domain must not contain '::', but is \"" + text + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {":", "a:", ":a:", "a:b:"})
    void aDomainMustNotEndInAColon(String domain) {
        assertThatThrownBy(() -> ReservationKeyBuilder.requireValidDomain(domain))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("domain must not end in ':', but is \"" + domain + "\"");
        assertThatThrownBy(() -> new ReservationKeyBuilder(domain)).isInstanceOf(InvalidReservationKeyException.class);
    }

    @Test
    void nullIsNoIdentifier() {
        assertThatThrownBy(() -> orders.build("identifier", null))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("identifier must not be null");
    }

    @Test
    void nothingIsNeitherAnIdentifierNorADomain() {
        assertThatThrownBy(() -> orders.build("identifier", ""))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("identifier must not be empty");
        assertThatThrownBy(() -> ReservationKeyBuilder.requireValidDomain(""))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("domain must not be empty");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void nulIsRefusedAndShownReadably(String where, String text, String shown) {
        assertThatThrownBy(() -> orders.build("identifier", text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("identifier must not contain NUL, but is " + shown);
        assertThatThrownBy(() -> ReservationKeyBuilder.requireValidDomain(text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessage("domain must not contain NUL, but is " + shown);
    }

    static Stream<Arguments> nulIsRefusedAndShownReadably() {
        return Stream.of(
                arguments("alone", "\0", "\"\\0\""),
                arguments("at the start", "\0a", "\"\\0a\""),
                arguments("in the middle", "a\0b", "\"a\\0b\""),
                arguments("at the end", "a\0", "\"a\\0\""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource
    void halfASurrogatePairIsRefused(String what, String text) {
        assertThatThrownBy(() -> orders.build("identifier", text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageStartingWith("identifier must not contain half of a surrogate pair, but is \"");
        assertThatThrownBy(() -> ReservationKeyBuilder.requireValidDomain(text))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageStartingWith("domain must not contain half of a surrogate pair, but is \"");
    }

    static Stream<Arguments> halfASurrogatePairIsRefused() {
        return Stream.of(
                arguments("high alone", "" + HIGH),
                arguments("high at the start", HIGH + "a"),
                arguments("high in the middle", "a" + HIGH + "b"),
                arguments("high at the end", "a" + HIGH),
                arguments("low alone", "" + LOW),
                arguments("low at the start", LOW + "a"),
                arguments("low in the middle", "a" + LOW + "b"),
                arguments("low at the end", "a" + LOW),
                arguments("the halves in the wrong order", "" + LOW + HIGH),
                arguments("high before a whole pair", HIGH + EMOJI),
                arguments("low after a whole pair", EMOJI + LOW));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("charactersByLength")
    void aKeyMayHave512BytesAndNoMore(String what, String character, int bytes) {
        ReservationKeyBuilder keys = new ReservationKeyBuilder("d");
        int room = ReservationKeyBuilder.MAX_KEY_BYTES - "d::".length();
        String fits = character.repeat(room / bytes) + "x".repeat(room % bytes);

        assertThat(keys.build("identifier", fits).getBytes(StandardCharsets.UTF_8)).hasSize(512);
        assertThatThrownBy(() -> keys.build("identifier", fits + "x"))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageStartingWith(
                        "identifier is too long: domain::identifier has 513 bytes in UTF-8, at most 512")
                .hasMessageContaining(character.repeat(10));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("charactersByLength")
    void aDomainMustLeaveRoomForAnIdentifier(String what, String character, int bytes) {
        int room = ReservationKeyBuilder.MAX_KEY_BYTES - "::x".length();
        String fits = character.repeat(room / bytes) + "x".repeat(room % bytes);

        assertThat(new ReservationKeyBuilder(fits).build("identifier", "x").getBytes(StandardCharsets.UTF_8))
                .hasSize(512);
        assertThatThrownBy(() -> new ReservationKeyBuilder(fits).build("identifier", "xy"))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageStartingWith("identifier is too long");
        assertThatThrownBy(() -> ReservationKeyBuilder.requireValidDomain(fits + "x"))
                .isInstanceOf(InvalidReservationKeyException.class)
                .hasMessageStartingWith("domain is too long: with '::' it has 512 bytes in UTF-8")
                .hasMessageContaining(character.repeat(10));
    }

    static Stream<Arguments> charactersByLength() {
        return Stream.of(
                arguments("1 byte", "a", 1),
                arguments("2 bytes", "é", 2),
                arguments("3 bytes", "日", 3),
                arguments("4 bytes", EMOJI, 4));
    }

    @Test
    void aMessageDoesNotRepeatAMegabyte() {
        assertThatThrownBy(() -> orders.build("identifier", "x".repeat(1_000_000)))
                .isInstanceOf(InvalidReservationKeyException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void noTwoPairsShareAKey() {
        List<String> texts = allTexts(List.of("a", "A", ":", "é", "e\u0301", " ", EMOJI), 3);
        Map<String, List<String>> pairOf = new HashMap<>();

        for (String domain : texts) {
            Optional<ReservationKeyBuilder> keys = builderOf(domain);
            for (String identifier : texts) {
                keys.flatMap(k -> keyOf(k, identifier)).ifPresent(key -> {
                    List<String> before = pairOf.put(key, List.of(domain, identifier));
                    assertThat(before).as("an earlier pair with the key " + key).isNull();
                });
            }
        }

        assertThat(pairOf).hasSizeGreaterThan(50_000).containsEntry("a:::a", List.of("a", ":a"));
    }

    /** Returns all texts of up to {@code length} pieces. */
    private static List<String> allTexts(List<String> alphabet, int length) {
        List<String> texts = new ArrayList<>(alphabet);
        List<String> longest = alphabet;
        for (int i = 1; i < length; i++) {
            longest = longest.stream()
                    .flatMap(text -> alphabet.stream().map(text::concat))
                    .toList();
            texts.addAll(longest);
        }
        return texts;
    }

    private static Optional<ReservationKeyBuilder> builderOf(String domain) {
        try {
            return Optional.of(new ReservationKeyBuilder(domain));
        } catch (InvalidReservationKeyException e) {
            assertThat(domain.contains("::") || domain.endsWith(":")).as(domain).isTrue();
            return Optional.empty();
        }
    }

    private static Optional<String> keyOf(ReservationKeyBuilder keys, String identifier) {
        try {
            return Optional.of(keys.build("identifier", identifier));
        } catch (InvalidReservationKeyException e) {
            assertThat(identifier).contains("::");
            return Optional.empty();
        }
    }
}
