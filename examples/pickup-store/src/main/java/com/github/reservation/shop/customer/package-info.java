// SPDX-License-Identifier: Apache-2.0
/** Accounts, sign-up with claims, and who may do what. */
@NullMarked
package com.github.reservation.shop.customer;

import org.jspecify.annotations.NullMarked;
