// SPDX-License-Identifier: Apache-2.0
/**
 * What a backend must do, for those who write their own: {@link com.github.reservation.store.LeaseStore} and what crosses this border.
 *
 * <p>A backend keeps leases and does nothing else. Each of its methods makes one decision, in one atomic step of the server, and returns
 * what became of it. Threads, reentrancy, waiting, retries, lost replies, automatic renewal, listeners and meters are the library's part:
 * {@link com.github.reservation.ReservationManager#on(LeaseStore)} makes a manager with all of that on your store.
 *
 * <p>This is a whole backend, with leases in a map of this JVM. What it decides inside {@code compute}, yours decides in a script, a
 * statement with a condition, or by comparing and setting: never by a read and a later write, between which another node can come.
 *
 * {@snippet file="com/github/reservation/demo/MapStore.java" region="store"}
 *
 * {@snippet file="com/github/reservation/demo/MapStoreTest.java" region="use"}
 *
 * <p>To write your own:
 * <ol>
 *   <li>Read {@link com.github.reservation.store.LeaseStore}: its rules hold for every method.
 *   <li>Extend {@code com.github.reservation.test.StoreContract} of the artifact {@code reservation-lock-test}. Its tests have the names of the
 *       rules, and show what is missing.
 *   <li>Translate every exception of your client into a {@link com.github.reservation.store.StoreException} of the right
 *       {@linkplain com.github.reservation.store.StoreException.Kind kind}, and limit the time of every call.
 *   <li>Add {@link com.github.reservation.store.QueueingStore}, {@link com.github.reservation.store.SignallingStore} and
 *       {@link com.github.reservation.store.PurgingStore} if you need them. The contract then tests them, too.
 * </ol>
 *
 * <p>What never to do: answer "no" when the store failed; compare the clock of the application with a time of the server; find a lease by
 * its key alone, or by the name of a host or a process; let a lease that has ended be renewed; keep a connection, or a lock of the
 * server, while a lease is held.
 *
 * <p>A backend may have threads of its own, to listen to its server or to end a call in time.
 */
@NullMarked
package com.github.reservation.store;

import org.jspecify.annotations.NullMarked;
