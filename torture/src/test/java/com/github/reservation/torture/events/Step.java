// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.events;

/** An event: the next step of its key, counted from 1. */
record Step(long number) {}
