// SPDX-License-Identifier: Apache-2.0
/**
 * The core and the stores, not exported. Each room says where to begin. The border that a backend implements is not here but in
 * {@link com.github.reservation.store}.
 *
 * <table>
 *   <caption>The rooms, from the lock down to the cellar</caption>
 *   <tr><th>room</th><th>what is there</th></tr>
 *   <tr><td>{@code lock}</td><td>the one {@link java.util.concurrent.locks.Lock}, its manager, a thread's holds, handles and leases</td></tr>
 *   <tr><td>{@code waiting}</td><td>acquiring, waiting, releasing: how a key gets from one holder to the next</td></tr>
 *   <tr><td>{@code grant}</td><td>leases that this process has: how they are renewed, and how their loss is noticed and reported</td></tr>
 *   <tr><td>{@code memory}, {@code jdbc}, {@code hazelcast}</td><td>the stores</td></tr>
 *   <tr><td>{@code bridge}</td><td>stores made of what a user wrote</td></tr>
 *   <tr><td>{@code sql}</td><td>dialects, statements, connections; knows no lock</td></tr>
 *   <tr><td>{@code metrics}</td><td>meters</td></tr>
 *   <tr><td>{@code base}</td><td>the cellar: time, threads, log, retries, key rules; every room may use it</td></tr>
 * </table>
 */
@NullMarked
package com.github.reservation.internal;

import org.jspecify.annotations.NullMarked;
