// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import org.springframework.http.HttpStatus;

/** A request that the shop refuses. The message is for the customer. */
public final class ShopProblem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String title;

    private ShopProblem(HttpStatus status, String title, String detail) {
        super(detail);
        this.status = status;
        this.title = title;
    }

    /** The request itself is wrong. */
    public static ShopProblem badRequest(String detail) {
        return new ShopProblem(HttpStatus.BAD_REQUEST, "Wrong input", detail);
    }

    /** There is no such thing, or it belongs to another customer. */
    public static ShopProblem notFound(String detail) {
        return new ShopProblem(HttpStatus.NOT_FOUND, "Not found", detail);
    }

    /** The request is right, but it is too late or another customer was faster. */
    public static ShopProblem conflict(String title, String detail) {
        return new ShopProblem(HttpStatus.CONFLICT, title, detail);
    }

    public HttpStatus status() {
        return status;
    }

    public String title() {
        return title;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }
}
