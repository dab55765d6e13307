// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/**
 * Answers requests that no controller takes, because of their address or their method: a page for a browser,
 * {@code application/problem+json} for a client of the API.
 */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnknownAddress {

    private final PageProblems pages;

    UnknownAddress(PageProblems pages) {
        this.pages = pages;
    }

    @ExceptionHandler(NoResourceFoundException.class)
    Object onAddress(NoResourceFoundException exception, HttpServletRequest request) {
        return wantsPage(request)
                ? pages.page(HttpStatus.NOT_FOUND, "There is no such page",
                        "The address is wrong, or what was here is gone.", "/", request)
                : problem(exception);
    }

    @ExceptionHandler(HttpRequestMethodNotSupportedException.class)
    Object onMethod(HttpRequestMethodNotSupportedException exception, HttpServletRequest request) {
        return wantsPage(request)
                ? pages.page(HttpStatus.METHOD_NOT_ALLOWED, "There is nothing to see here",
                        "This address takes forms. Go back to the page of the form.", PageProblems.page(request),
                        request)
                : problem(exception);
    }

    /** Browsers name HTML when they open a page; scripts and clients of the API do not. */
    private static boolean wantsPage(HttpServletRequest request) {
        String accepted = request.getHeader("Accept");
        return !request.getRequestURI().startsWith("/api/") && accepted != null
                && accepted.contains(MediaType.TEXT_HTML_VALUE);
    }

    private static ResponseEntity<?> problem(ErrorResponse response) {
        return ResponseEntity.status(response.getStatusCode()).headers(response.getHeaders()).body(response.getBody());
    }
}
