// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.spring.demo;

import com.github.reservation.spring.Reserved;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

// @start region="meta"
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Reserved(domain = "orders", key = "", maxWait = "${shop.order-wait:10s}")
public @interface OneOrderAtATime {

    @AliasFor(annotation = Reserved.class, attribute = "key")
    String value() default "#orderId";
}
// @end
