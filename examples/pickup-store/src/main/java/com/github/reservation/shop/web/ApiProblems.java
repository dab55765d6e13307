// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import com.github.reservation.shop.ShopProblem;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Refused requests of the API, as {@code application/problem+json}. Spring does the same for malformed ones. */
@RestControllerAdvice(annotations = RestController.class)
class ApiProblems {

    @ExceptionHandler
    ProblemDetail on(ShopProblem problem) {
        ProblemDetail detail = ProblemDetail.forStatusAndDetail(problem.status(), problem.detail());
        detail.setTitle(problem.title());
        return detail;
    }
}
