// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.customer.SignUps.Started;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/sign-ups")
@Tag(name = "Sign-up")
class SignUpApi {

    private final SignUps signUps;

    SignUpApi(SignUps signUps) {
        this.signUps = signUps;
    }

    record StartRequest(@Nullable String email) {}

    /** @param token proves that the client has started the sign-up */
    record StartedSignUp(String id, String token, String email, Instant expiresAt) {}

    record CompleteRequest(@Nullable String token, @Nullable String name, @Nullable String password) {}

    record CancelRequest(@Nullable String token) {}

    record NewAccount(long id, String email, String name) {}

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    @Operation(summary = "Claims an e-mail address")
    StartedSignUp start(@RequestBody StartRequest request) {
        return switch (signUps.start(text(request.email()))) {
            case Started.Claimed claim -> new StartedSignUp(
                    claim.id(), claim.token().value(), claim.email(), claim.expiresAt());
            case Started.Taken taken -> throw ShopProblem.conflict("Taken", taken.text());
        };
    }

    @PostMapping("/{id}/complete")
    @ResponseStatus(HttpStatus.CREATED)
    @Operation(summary = "Creates the account and confirms the claim")
    NewAccount complete(@PathVariable String id, @RequestBody CompleteRequest request) {
        Account account = signUps.complete(
                signUps.find(id, text(request.token())), text(request.name()), text(request.password()));
        return new NewAccount(account.id(), account.email(), account.name());
    }

    @PostMapping("/{id}/cancel")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Operation(summary = "Gives the e-mail address back")
    void cancel(@PathVariable String id, @RequestBody CancelRequest request) {
        if (!signUps.cancel(signUps.find(id, text(request.token())))) {
            throw SignUps.notFound(id);
        }
    }

    /** Refuses what some databases cannot store. */
    private static String text(@Nullable String value) {
        if (value != null && value.chars().anyMatch(Character::isISOControl)) {
            throw ShopProblem.badRequest("Control characters are not allowed.");
        }
        return value == null ? "" : value;
    }
}
