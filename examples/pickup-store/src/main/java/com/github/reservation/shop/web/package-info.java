// SPDX-License-Identifier: Apache-2.0
/** What all pages and all answers of the API share. */
@NullMarked
package com.github.reservation.shop.web;

import org.jspecify.annotations.NullMarked;
