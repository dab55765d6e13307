// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import com.github.reservation.shop.ShopProblem;
import com.github.reservation.shop.Texts;
import com.github.reservation.shop.customer.SignUps.Started;
import com.github.reservation.shop.web.Message;
import com.github.reservation.shop.web.Pages;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.SessionAttribute;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The sign-up form. The session keeps the claim with its token, so nobody else can complete or cancel it. */
@Pages
class SignUpPages {

    private static final String CLAIM = "sign-up-claim";

    private final SignUps signUps;
    private final SecurityContextRepository contexts;

    SignUpPages(SignUps signUps, SecurityContextRepository contexts) {
        this.signUps = signUps;
        this.contexts = contexts;
    }

    /** The claim as the page shows it. */
    public record SignUp(String email, Instant expiresAt, long remainingSeconds) {

        public String remaining() {
            return Texts.minutes(remainingSeconds);
        }
    }

    /** What the form contained. */
    public record SignUpForm(String name) {}

    @GetMapping("/sign-up")
    String form(@SessionAttribute(name = CLAIM, required = false) Started.@Nullable Claimed claim, HttpSession session,
            Model model) {
        model.asMap().putIfAbsent("form", new SignUpForm(""));
        model.asMap().putIfAbsent("errors", Map.of());
        boolean lost = false;
        if (claim != null) {
            long seconds = signUps.secondsUntil(claim.expiresAt());
            lost = seconds == 0;
            if (lost) {
                session.removeAttribute(CLAIM);
            } else {
                model.addAttribute("signUp", new SignUp(claim.email(), claim.expiresAt(), seconds));
            }
        }
        model.addAttribute("lost", lost);
        return "sign-up";
    }

    @PostMapping("/sign-up/email")
    String start(
            @RequestParam String email,
            @SessionAttribute(name = CLAIM, required = false) Started.@Nullable Claimed before,
            HttpSession session,
            RedirectAttributes redirect) {
        try {
            String checked = SignUps.checkedEmail(email);
            if (before != null) {
                signUps.cancel(before);
                session.removeAttribute(CLAIM);
            }
            switch (signUps.start(checked)) {
                case Started.Claimed claim -> session.setAttribute(CLAIM, claim);
                case Started.Taken taken -> redirect.addFlashAttribute("taken", taken);
            }
        } catch (ShopProblem problem) {
            redirect.addFlashAttribute("errors", Map.of("email", problem.detail()));
        }
        return "redirect:/sign-up";
    }

    @PostMapping("/sign-up")
    String complete(
            @RequestParam String name,
            @RequestParam String password,
            @SessionAttribute(name = CLAIM, required = false) Started.@Nullable Claimed claim,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        if (claim == null) {
            throw ShopProblem.conflict("No sign-up", "Enter your e-mail address first.");
        }
        Map<String, String> errors = errors(name, password);
        if (!errors.isEmpty()) {
            redirect.addFlashAttribute("errors", errors);
            redirect.addFlashAttribute("form", new SignUpForm(name));
            return "redirect:/sign-up";
        }
        Account account = signUps.complete(claim, name, password);
        request.changeSessionId();
        request.getSession().removeAttribute(CLAIM);
        signIn(account, request, response);
        redirect.addFlashAttribute("message", Message.success("Welcome, " + account.name() + "."));
        return "redirect:/";
    }

    private static Map<String, String> errors(String name, String password) {
        Map<String, String> errors = new LinkedHashMap<>();
        check("name", SignUps::checkName, name, errors);
        check("password", SignUps::checkPassword, password, errors);
        return errors;
    }

    private static void check(String field, Consumer<String> check, String value, Map<String, String> errors) {
        try {
            check.accept(value);
        } catch (ShopProblem problem) {
            errors.put(field, problem.detail());
        }
    }

    private void signIn(Account account, HttpServletRequest request, HttpServletResponse response) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(
                UsernamePasswordAuthenticationToken.authenticated(account, null, account.getAuthorities()));
        SecurityContextHolder.setContext(context);
        contexts.saveContext(context, request, response);
    }

    @PostMapping("/sign-up/cancel")
    String cancel(
            @SessionAttribute(name = CLAIM, required = false) Started.@Nullable Claimed claim,
            HttpSession session,
            RedirectAttributes redirect) {
        if (claim != null) {
            boolean cancelled = signUps.cancel(claim);
            session.removeAttribute(CLAIM);
            redirect.addFlashAttribute("message", cancelled
                    ? Message.success(claim.email() + " is free again.")
                    : Message.error("The time to register " + claim.email() + " was over already."));
        }
        return "redirect:/sign-up";
    }
}
