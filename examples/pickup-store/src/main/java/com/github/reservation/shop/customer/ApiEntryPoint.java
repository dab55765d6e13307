// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.customer;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;

/** Answers a request of the API that has no account, or a wrong password. */
final class ApiEntryPoint implements AuthenticationEntryPoint {

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException exception)
            throws IOException {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "xBasic realm=\"pickup-store\"");
        ApiDenial.write(response, HttpStatus.UNAUTHORIZED, "Send the e-mail address and the password of an account.");
    }
}
