// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import com.github.reservation.InvalidReservationKeyException;
import com.github.reservation.shop.ShopProblem;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.MissingRequestValueException;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Shows refused requests to people. What can happen to everybody, such as the last unit sold to another customer, is a message on the
 * page that the request came from. What no form of ours can send is a page of its own, with the status of the problem.
 */
@ControllerAdvice(annotations = Pages.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class PageProblems {

    private final PageModel model;

    PageProblems(PageModel model) {
        this.model = model;
    }

    @ExceptionHandler
    ModelAndView on(ShopProblem problem, HttpServletRequest request) {
        if (problem.status() == HttpStatus.CONFLICT) {
            RequestContextUtils.getOutputFlashMap(request).put("message", Message.error(problem.detail()));
            return new ModelAndView("redirect:" + page(request));
        }
        return page(problem.status(), problem.title(), problem.detail(), page(request), request);
    }

    @ExceptionHandler({
            MethodArgumentTypeMismatchException.class,
            MissingRequestValueException.class,
            InvalidReservationKeyException.class})
    ModelAndView onWrongValue(HttpServletRequest request) {
        return page(HttpStatus.BAD_REQUEST, "Wrong input", "The request has a value that cannot be read.",
                page(request), request);
    }

    ModelAndView page(HttpStatus status, String title, String detail, String back, HttpServletRequest request) {
        ModelAndView page = new ModelAndView("problem", model.attributes(request), status);
        page.addObject("status", status.value());
        page.addObject("title", title);
        page.addObject("detail", detail);
        page.addObject("back", back);
        return page;
    }

    /** Returns the page whose form was sent: {@code /orders} for {@code /orders/7/cancel}. */
    static String page(HttpServletRequest request) {
        String[] parts = request.getRequestURI().split("/", -1);
        if (parts.length < 2) {
            return "/";
        }
        if (parts[1].equals("stores")) {
            return parts.length > 3 ? "/stores/" + parts[2] : "/";
        }
        return "/" + parts[1];
    }
}
