// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.web;

import io.swagger.v3.oas.annotations.OpenAPIDefinition;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.info.Info;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import org.springframework.context.annotation.Configuration;

/** What OpenAPI says about the API as a whole. */
@Configuration(proxyBeanMethods = false)
@OpenAPIDefinition(info = @Info(title = "Pickup store", version = "1", description = """
        Orders that are held for pick-up. Problems are application/problem+json. API.md has examples."""), security = @SecurityRequirement(name = "basic"))
@SecurityScheme(name = "basic", type = SecuritySchemeType.HTTP, scheme = "basic", description = "The e-mail address and the password of an account")
class OpenApiConfiguration {}
