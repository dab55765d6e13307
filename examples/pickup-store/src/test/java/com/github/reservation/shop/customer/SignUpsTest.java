// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;

import com.github.reservation.claim.ClaimToken;
import com.github.reservation.claim.Claims;
import com.github.reservation.shop.RunningShop;
import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.customer.SignUps.Started;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

@RunningShop
class SignUpsTest {

    @Autowired
    private MockMvcTester mvc;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private SignUps signUps;

    @Autowired
    private Claims claims;

    private final String email = UUID.randomUUID() + "@example.com";
    private final MockHttpSession browser = new MockHttpSession();
    private final MockHttpSession otherBrowser = new MockHttpSession();

    private MvcTestResult submit(MockHttpSession session, String path, String... fields) {
        MockMvcTester.MockMvcRequestBuilder request = mvc.post().uri(path).session(session).with(csrf());
        for (int index = 0; index < fields.length; index += 2) {
            request.param(fields[index], fields[index + 1]);
        }
        return request.exchange();
    }

    private long accounts() {
        return jdbc.sql("SELECT COUNT(*) FROM customers WHERE email = ?").param(email).query(Long.class).single();
    }

    @Test
    void aSecondBrowserIsToldHowLongTheAddressIsTaken() {
        assertThat(submit(browser, "/sign-up/email", "email", email)).hasRedirectedUrl("/sign-up");
        assertThat(mvc.get().uri("/sign-up").session(browser)).hasStatusOk().bodyText().contains(email);

        assertThat(submit(otherBrowser, "/sign-up/email", "email", email.toUpperCase())).flash()
                .extractingByKey("taken").isInstanceOfSatisfying(Started.Taken.class, taken -> {
                    assertThat(taken.registered()).isFalse();
                    assertThat(taken.remainingSeconds()).isBetween(290L, 300L);
                    assertThat(taken.remaining()).matches("[45]:\\d\\d");
                });
    }

    @Test
    void theAccountAndItsClaimAreConfirmedTogether() {
        submit(browser, "/sign-up/email", "email", email);

        assertThat(submit(browser, "/sign-up", "name", "Nora", "password", "long enough"))
                .hasRedirectedUrl("/");

        assertThat(accounts()).isOne();
        assertThat(claims.isAvailable(SignUps.TYPE, email)).isFalse();
        assertThat(mvc.get().uri("/orders").session(browser)).as("Nora is signed in").hasStatusOk();
        assertThat(submit(otherBrowser, "/sign-up/email", "email", email)).flash().extractingByKey("taken")
                .isInstanceOfSatisfying(Started.Taken.class, taken -> assertThat(taken.registered()).isTrue());
    }

    @Test
    void aCancelledSignUpGivesTheAddressBack() {
        submit(browser, "/sign-up/email", "email", email);

        assertThat(submit(browser, "/sign-up/cancel")).hasRedirectedUrl("/sign-up");

        assertThat(claims.isAvailable(SignUps.TYPE, email)).isTrue();
        submit(otherBrowser, "/sign-up/email", "email", email);
        assertThat(mvc.get().uri("/sign-up").session(otherBrowser)).model().containsKey("signUp");
    }

    @Test
    void anotherAddressGivesTheFirstOneBack() {
        submit(browser, "/sign-up/email", "email", email);

        submit(browser, "/sign-up/email", "email", "other-" + email);

        assertThat(claims.isAvailable(SignUps.TYPE, email)).isTrue();
        assertThat(claims.isReserved(SignUps.TYPE, "other-" + email)).isTrue();
    }

    @Test
    void afterTheClaimHasEndedNoAccountIsCreated() {
        Started.Claimed claim = (Started.Claimed) signUps.start(email);
        claims.release(claim.id(), claim.token());

        assertThatThrownBy(() -> signUps.complete(claim, "Nora", "long enough"))
                .isInstanceOf(ShopProblem.class).hasMessageContaining("is over");

        assertThat(accounts()).isZero();
    }

    @Test
    void aFormThatIsSentTwiceCreatesOneAccountAndSaysSo() {
        Started.Claimed claim = (Started.Claimed) signUps.start(email);
        signUps.complete(claim, "Nora", "long enough");

        assertThatThrownBy(() -> signUps.complete(claim, "Nora", "long enough"))
                .isInstanceOf(ShopProblem.class).hasMessage(email + " has an account already.");

        assertThat(accounts()).isOne();
    }

    @Test
    void whoHasAnotherTokenCannotCancel() {
        Started.Claimed claim = (Started.Claimed) signUps.start(email);

        assertThat(mvc.post().uri("/api/sign-ups/" + claim.id() + "/cancel")
                .contentType(MediaType.APPLICATION_JSON).content("{\"token\": \"wrong\"}"))
                .hasStatus(404).bodyJson().extractingPath("$.detail").asString().contains("There is no sign-up");

        assertThat(claims.isReserved(SignUps.TYPE, email)).isTrue();
        assertThat(mvc.post().uri("/api/sign-ups/" + claim.id() + "/cancel").contentType(MediaType.APPLICATION_JSON)
                .content("{\"token\": \"%s\"}".formatted(claim.token().value()))).hasStatus(204);
        assertThat(claims.isAvailable(SignUps.TYPE, email)).isTrue();
    }

    @Test
    void anAddressThatIsWrongKeepsTheFirstOne() {
        submit(browser, "/sign-up/email", "email", email);

        submit(browser, "/sign-up/email", "email", "no address");

        assertThat(claims.isReserved(SignUps.TYPE, email)).isTrue();
        assertThat(mvc.get().uri("/sign-up").session(browser)).model().containsKey("signUp");
    }

    @Test
    void whoHasAnotherTokenCannotComplete() {
        Started.Claimed claim = (Started.Claimed) signUps.start(email);

        assertThatThrownBy(() -> signUps.complete(
                new Started.Claimed(claim.id(), new ClaimToken("wrong"), email, claim.expiresAt()), "Eve",
                "long enough"))
                .isInstanceOf(ShopProblem.class);

        assertThat(accounts()).isZero();
    }

    @Test
    void wrongFieldsAreShownBesideTheForm() {
        submit(browser, "/sign-up/email", "email", email);

        assertThat(submit(browser, "/sign-up", "name", "x".repeat(101), "password", "short")).flash()
                .extractingByKey("errors").asString().contains("name must have", "password must have");
        assertThat(submit(otherBrowser, "/sign-up/email", "email", "no address")).flash()
                .extractingByKey("errors").asString().contains("email must be");
        assertThat(submit(otherBrowser, "/sign-up", "name", "Nora", "password", "long enough")).flash()
                .extractingByKey("message").asString().contains("Enter your e-mail address first");
        assertThat(accounts()).isZero();
    }
}
