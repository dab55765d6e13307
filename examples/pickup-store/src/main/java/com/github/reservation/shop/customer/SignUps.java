// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.claim.ClaimQuery;
import com.github.reservation.claim.ClaimStatus;
import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ConfirmResult;
import com.github.reservation.claim.ReleaseResult;
import com.github.reservation.claim.ReserveResult;
import com.github.reservation.shop.DatabaseClock;
import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.ShopProperties;
import com.github.reservation.shop.Texts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sign-up in two steps. The first claims the e-mail address: while the form is open, no one else can register it. The second creates
 * the account and confirms the claim in one transaction. If nobody sends the form, the claim ends by itself.
 */
@Service
public class SignUps {

    static final String TYPE = "email";

    private static final Pattern EMAIL = Pattern.compile("PART@PART\\.PART".replace("PART", "[^\\s\\p{Cntrl}@<>\"]+"));
    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_NAME = 100;
    private static final int SHORTEST_PASSWORD = 8;
    private static final int LONGEST_PASSWORD = 72;

    private final Claims claims;
    private final Accounts accounts;
    private final DatabaseClock clock;
    private final Duration time;

    SignUps(Claims claims, Accounts accounts, DatabaseClock clock, ShopProperties shop) {
        this.claims = claims;
        this.accounts = accounts;
        this.clock = clock;
        this.time = shop.signUpTime();
    }

    /** What the first step answers. */
    sealed interface Started {

        /** The address is claimed. Whoever has the token can go on. */
        record Claimed(String id, ClaimToken token, String email, Instant expiresAt) implements Started {}

        /** Somebody else has the address: for ever if it is registered, otherwise for the time that remains. */
        record Taken(String email, boolean registered, long remainingSeconds) implements Started {

            /** Returns minutes and seconds. */
            public String remaining() {
                return Texts.minutes(remainingSeconds);
            }

            String text() {
                return registered
                        ? email + " has an account already."
                        : email + " is just being registered, and free again in " + remaining() + ".";
            }
        }
    }

    Started start(String input) {
        String email = checkedEmail(input);
        return switch (claims.reserve(TYPE, email, time)) {
            case ReserveResult.Success claim -> new Started.Claimed(
                    claim.reservationId(), claim.token(), email, claim.expiresAt());
            case ReserveResult.Conflict conflict -> new Started.Taken(
                    email,
                    conflict.existingStatus() == ClaimStatus.CONFIRMED,
                    conflict.existingExpiresAt().map(this::secondsUntil).orElse(0L));
            case ReserveResult.Failure failure -> throw ShopProblem.badRequest(failure.message());
        };
    }

    static String checkedEmail(String input) {
        String email = input.strip().toLowerCase(Locale.ROOT);
        if (email.length() > LONGEST_EMAIL || !EMAIL.matcher(email).matches()) {
            throw ShopProblem
                    .badRequest("email must be an e-mail address of at most " + LONGEST_EMAIL + " characters.");
        }
        return email;
    }

    /** Returns the seconds until then, by the clock of the database. */
    long secondsUntil(Instant end) {
        return Texts.secondsLeft(Duration.between(clock.now(), end));
    }

    /** Creates the account. If the claim has ended, or its form was sent twice, nothing is created. */
    @Transactional
    Account complete(Started.Claimed claim, String name, String password) {
        checkName(name);
        checkPassword(password);
        Account account;
        try {
            account = accounts.insert(claim.email(), name.strip(), password, Role.CUSTOMER);
        } catch (DuplicateKeyException e) {
            throw ShopProblem.conflict("Taken", new Started.Taken(claim.email(), true, 0).text());
        }
        if (claims.confirm(claim.id(), claim.token(),
                String.valueOf(account.id())) instanceof ConfirmResult.Failure) {
            throw ShopProblem.conflict("Too late",
                    "The sign-up of " + claim.email() + " is over, or has another token. Start again.");
        }
        return account;
    }

    static void checkName(String name) {
        if (name.isBlank() || name.strip().length() > LONGEST_NAME
                || name.chars().anyMatch(Character::isISOControl)) {
            throw ShopProblem.badRequest(
                    "name must have between 1 and " + LONGEST_NAME + " characters, and no control characters.");
        }
    }

    static void checkPassword(String password) {
        if (password.length() < SHORTEST_PASSWORD
                || password.getBytes(StandardCharsets.UTF_8).length > LONGEST_PASSWORD) {
            throw ShopProblem.badRequest("password must have at least " + SHORTEST_PASSWORD
                    + " characters, and at most " + LONGEST_PASSWORD + " bytes.");
        }
    }

    /** Gives the address back. Returns false if the claim has ended already, or has another token. */
    boolean cancel(Started.Claimed claim) {
        return claims.release(claim.id(), claim.token()) instanceof ReleaseResult.Success;
    }

    /** Returns a claim that a client of the API names by its id and proves by its token. */
    Started.Claimed find(String id, String token) {
        return claims.findReservation(ClaimQuery.byId(id).activeOnly())
                .map(claim -> new Started.Claimed(id, new ClaimToken(token), claim.value(), claim.expiresAt()))
                .orElseThrow(() -> notFound(id));
    }

    static ShopProblem notFound(String id) {
        return ShopProblem.notFound("There is no sign-up " + id + " with this token, or its time is over.");
    }
}
