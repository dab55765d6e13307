// SPDX-License-Identifier: Apache-2.0
/**
 * Reservations in a Spring Boot application.
 *
 * <p>{@link com.github.reservation.spring.ReservationManagers} is the bean to start with: it has the manager of each domain. Then
 * read {@link com.github.reservation.spring.Reserved}, the annotation for methods.
 * {@link com.github.reservation.spring.ReservationProperties} lists what can be configured.
 *
 * <p>{@link com.github.reservation.claim.Claims} and {@link com.github.reservation.expiration.ExpirationJob} are beans as well. Claims join
 * the caller's transaction, and the job runs all beans of type {@link com.github.reservation.expiration.ExpirationSource}. With an
 * {@link com.github.reservation.outbox.Outbox} their events are delivered at least once;
 * {@link com.github.reservation.spring.TransactionalOutbox} appends your own.
 */
@NullMarked
package com.github.reservation.spring;

import org.jspecify.annotations.NullMarked;
