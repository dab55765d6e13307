// SPDX-License-Identifier: Apache-2.0
/**
 * The core and the stores, not exported. Each room says where to begin.
 *
 * <table>
 *   <caption>The rooms of the core, from the lock down to the store</caption>
 *   <tr><th>room</th><th>what is there</th></tr>
 *   <tr><td>{@code lock}</td><td>the one {@link java.util.concurrent.locks.Lock}, its manager, a thread's holds</td></tr>
 *   <tr><td>{@code lease}</td><td>locks and leases that no thread owns</td></tr>
 *   <tr><td>{@code waiting}</td><td>acquiring, waiting, releasing: how a key gets from one holder to the next</td></tr>
 *   <tr><td>{@code loss}</td><td>grants, and how their loss is noticed and reported</td></tr>
 *   <tr><td>{@code claim}</td><td>claims: rules, results, events</td></tr>
 *   <tr><td>{@code purge}</td><td>deletes rows that were not used for long</td></tr>
 *   <tr><td>{@code retry}</td><td>retries and lost replies</td></tr>
 *   <tr><td>{@code expiration}</td><td>the job that expires rows, and its batches</td></tr>
 *   <tr><td>{@code outbox}</td><td>delivers the events of an outbox</td></tr>
 *   <tr><td>{@code metrics}</td><td>meters</td></tr>
 *   <tr><td>{@code time}</td><td>clocks, and how long a lease may be trusted</td></tr>
 *   <tr><td>{@code store}</td><td>the border: what a backend implements; {@code store.claim} for claims</td></tr>
 * </table>
 */
@NullMarked
package com.github.reservation.internal;

import org.jspecify.annotations.NullMarked;
