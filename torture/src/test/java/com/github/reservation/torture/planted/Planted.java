// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.planted;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A bug that is put in on purpose, in front of a store, to see whether the harness finds it by name. */
public enum Planted {

    // Locks: see BrokenLeases and BrokenLocks
    /** The holder counts its lease from the reply, not from before the request. */
    TRUST_FROM_THE_REPLY(Part.LOCKS, "exclusive", "delay"),
    /** The holder's clock is slower than the store's by half. */
    SLOW_CLOCK(Part.LOCKS, "exclusive"),
    /** The store takes half of the lease that the holder believes in. */
    HALF_A_LEASE(Part.LOCKS, "exclusive"),
    /** A key that is held for a tenth of a second more is granted all the same. */
    GRANTED_TWICE(Part.LOCKS, "exclusive"),
    /** A renewal of a lease that has ended says that it was renewed. */
    RENEWAL_REVIVES(Part.LOCKS, "exclusive"),
    /** A renewal is answered without asking the store. */
    RENEWAL_NOT_SENT(Part.LOCKS, "exclusive"),
    /** A release frees the key, whoever holds it now. */
    RELEASE_WITHOUT_OWNER(Part.LOCKS, "exclusive"),
    /** All acquisitions of a second have the same fencing token. */
    FENCE_REPEATS(Part.LOCKS, "fence-unique"),
    /** Fencing tokens get smaller. */
    FENCE_FALLS(Part.LOCKS, "fence-order"),
    /** One release in four says that it is done, and does nothing. */
    RELEASE_FORGOTTEN(Part.LOCKS, "refused-for-a-reason"),
    /** An acquisition whose reply is lost counts as refused, though the store may have granted it. */
    DOUBT_TAKEN_FOR_NO(Part.LOCKS, "refused-for-a-reason", "drop-reply"),
    /** A thread that waits misses, now and then, that another one wakes it. */
    LOST_WAKE_UP(Part.LOCKS, "nobody-stuck"),
    /** A lease lasts a hundred times as long as it was asked for, so a killed holder blocks its keys. */
    LEASE_TOO_LONG(Part.LOCKS, "free-at-last", "kill"),
    /** No renewal reaches the store: each of them fails. */
    RENEWAL_FAILS(Part.LOCKS, "kept"),
    /** A healthy store fails, now and then. */
    FAILS_FOR_NOTHING(Part.LOCKS, "fails-for-a-reason"),
    /** Losses are told twice. */
    LOSS_TOLD_TWICE(Part.LOCKS, "loss-once"),
    /** Every second loss is not told. */
    LOSS_NOT_TOLD(Part.LOCKS, "loss-told"),
    /** Three connections are not given back. */
    CONNECTION_KEPT(Part.LOCKS, "nothing-left"),

    // Claims: see BrokenClaimStore
    /** Only the owner's token may confirm or release a claim; this releases anybody's. */
    CLAIM_RELEASED_BY_ANYBODY(Part.CLAIMS, "claims"),
    /** A claim that is over can't be confirmed; this confirms it unless someone else has the value. */
    CLAIM_CONFIRMED_AFTER_ITS_END(Part.CLAIMS, "claims"),
    /** A claim that is over stays over; this extends it. */
    CLAIM_EXTENDED_AFTER_ITS_END(Part.CLAIMS, "claims"),
    /** A reserved value is a conflict; this gives it to the next one. */
    CLAIM_RESERVED_TWICE(Part.CLAIMS, "claims"),
    /** A claim lasts until its end; this gives the value away half a second earlier. */
    CLAIM_TAKEN_OVER_TOO_EARLY(Part.CLAIMS, "claims"),
    /** Only who knows the correlation id gets the token of a claim; this gives it to anybody. */
    CLAIM_TOKEN_OF_ANOTHER(Part.CLAIMS, "claims"),
    /** What was confirmed is stored; this only says so. */
    CLAIM_CONFIRMATION_FORGOTTEN(Part.CLAIMS, "claims"),
    /** A sweep takes claims that are over; this takes confirmed ones, too. */
    CLAIM_SWEEP_TAKES_CONFIRMED(Part.CLAIMS, "claims"),
    /** The version grows with each claim of a value; this shows the same one again. */
    CLAIM_VERSION_STANDS_STILL(Part.CLAIMS, "claim-versions"),
    /** The end of a claim is told once; this tells it twice. */
    CLAIM_END_TOLD_TWICE(Part.CLAIMS, "claim-ends"),

    // Expiration: see BrokenExpiration
    /** A batch takes rows that are still overdue; this does not look again, and locks nothing. */
    STOCK_SWEEP_WITHOUT_GUARD(Part.STOCK, "stock-moves"),
    /** The stock of an order goes back once; this sometimes gives back twice as much. */
    STOCK_RETURNED_TWICE(Part.STOCK, "stock"),
    /** Status and stock commit together; this gives the stock back before, and then some commits fail. */
    STOCK_RETURNED_BEFORE_THE_COMMIT(Part.STOCK, "stock"),
    /** A row expires at its end; this takes it 300 ms earlier. */
    STOCK_EXPIRED_TOO_EARLY(Part.STOCK, "stock-early"),
    /** Every overdue row is found; this does not see some. */
    STOCK_ROW_FORGOTTEN(Part.STOCK, "stock-overdue"),
    /** Each row that expires has its event; this loses some. */
    STOCK_EVENT_LOST(Part.STOCK, "stock-told"),

    // Outbox: see BrokenOutboxStore
    /** An event is removed when its listener has it; this removes it when it is read. */
    OUTBOX_REMOVES_BEFORE_IT_DELIVERS(Part.EVENTS, "outbox-delivered"),
    /** An event that failed is delivered again; this forgets it. */
    OUTBOX_FORGETS_FAILURES(Part.EVENTS, "outbox-delivered"),
    /** Each event of a transaction that commits is written; this loses some. */
    OUTBOX_LOSES_AN_EVENT(Part.EVENTS, "outbox-delivered"),
    /** Events commit with the transaction that appends them; this writes them in another one. */
    OUTBOX_APPENDS_APART(Part.EVENTS, "outbox-committed"),
    /** One worker has a lane at a time; this lets every worker have it. */
    OUTBOX_LANE_WITHOUT_LEASE(Part.EVENTS, "outbox-one-at-a-time"),
    /** A worker keeps a lane while it delivers; this leases it for 50 ms. */
    OUTBOX_LEASE_TOO_SHORT(Part.EVENTS, "outbox-one-at-a-time"),
    /** Events of a key arrive in their order; this turns each page around. */
    OUTBOX_OUT_OF_ORDER(Part.EVENTS, "outbox-order");

    /** A part of the library, with the name of its workload. */
    private enum Part {
        LOCKS, CLAIMS, STOCK, EVENTS
    }

    private final Part part;
    private final String rule;
    private final List<String> faults;

    Planted(Part part, String rule, String... faults) {
        this.part = part;
        this.rule = rule;
        this.faults = List.of(faults);
    }

    /** Returns what workers do, so that the bug can do its harm. */
    public List<String> workloads() {
        return List.of(part.name().toLowerCase(Locale.ROOT));
    }

    /** Returns the kinds of faults without which it does no harm. */
    public List<String> faults() {
        return faults;
    }

    /** Returns the name of the promise that it breaks: a finding must name it. */
    public String rule() {
        return rule;
    }

    /** Returns the bug of this name, or none if the name is empty. */
    public static Optional<Planted> named(String name) {
        return name.isBlank()
                ? Optional.empty()
                : Optional.of(Arrays.stream(values())
                        .filter(bug -> bug.toString().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("-Dplanted names \"" + name + "\". There are "
                                + Arrays.stream(values()).map(Planted::toString).collect(Collectors.joining(", ")))));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
