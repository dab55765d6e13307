// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.history.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** One acquisition, as its history tells it. */
final class Grant {

    /**
     * What the holder could rely on.
     *
     * @param asked when the request was sent, or earlier
     * @param from when it knew
     * @param until when the trust ends
     */
    record Trust(long asked, long from, long until) {}

    private static final long LEAST_MARGIN = TimeUnit.MILLISECONDS.toNanos(50);

    /** For how long a request may be on its way when its sender is dead. */
    private static final long AFTERLIFE = TimeUnit.SECONDS.toNanos(3);

    private final Call acquire;
    private final List<Trust> trusts = new ArrayList<>();
    private long leaseEnd;
    private long lastAnswer;
    private boolean diedInRenewal;
    private Call release;

    Grant(Call acquire) {
        this.acquire = acquire;
        // Who waited has sent the request that was granted later than it called: its trust says when.
        long sent = Math.max(acquire.start(), acquire.number("until") - lease());
        trusts.add(new Trust(sent, acquire.end(), acquire.number("until")));
        leaseEnd = acquire.end() + lease();
    }

    /** Adds a renewal, successful or not. */
    void renewed(Call renew) {
        if (renew.has("renewed")) {
            trusts.add(new Trust(renew.start(), renew.end(), renew.number("until")));
        }
        if (renew.end() == Call.NEVER) {
            diedInRenewal = true;
        }
        lastAnswer = Math.max(lastAnswer, renew.end());
        long end = renew.end() == Call.NEVER ? renew.start() + AFTERLIFE : renew.end();
        leaseEnd = Math.max(leaseEnd, end + TimeUnit.MILLISECONDS.toNanos(renew.number("lease")));
    }

    /** Adds what the holder knew without a call: the library has renewed the lease, if at all, since it was acquired. */
    void held(Call holds) {
        trusts.add(new Trust(acquire.start(), holds.start(), holds.number("until")));
        leaseEnd = Math.max(leaseEnd, holds.number("until") + lease());
    }

    void released(Call call) {
        release = call;
    }

    private long lease() {
        return TimeUnit.MILLISECONDS.toNanos(acquire.number("lease"));
    }

    Call acquire() {
        return acquire;
    }

    String key() {
        return acquire.key();
    }

    String name() {
        return acquire.text("grant");
    }

    /** Returns the fencing token, if this way to lock has one. */
    OptionalLong fence() {
        String fence = acquire.text("fence");
        return fence.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fence));
    }

    /** Returns what a loss of it is called by, see {@link #titleOf}. */
    String title() {
        return acquire.worker() + " " + key() + " " + acquire.text("fence");
    }

    /** Returns which grant a loss is about. */
    static String titleOf(Call lost) {
        return lost.worker() + " " + lost.key() + " " + lost.text("fence");
    }

    List<Trust> trusts() {
        return trusts;
    }

    /** Returns when the last trust ends, as far as the history knows. */
    long lastTrust() {
        return trusts.stream().mapToLong(Trust::until).max().orElseThrow();
    }

    /** Returns before which time the store has not ended the lease, if nobody released it: trust ends before it by a margin. */
    long earliestEnd() {
        return lastTrust() + LEAST_MARGIN;
    }

    /** Returns when its last renewal was answered. */
    long lastAnswer() {
        return lastAnswer;
    }

    /** Returns when the store has ended the lease at the latest, if nobody released it. */
    long leaseEnd() {
        return leaseEnd;
    }

    Optional<Call> release() {
        return Optional.ofNullable(release);
    }

    /** Returns until when the holder relied on it: the release, if there was one. */
    long reliedUntil() {
        return release == null ? Long.MAX_VALUE : release.start();
    }

    /** Returns whether the library renews it by itself, so that the history does not know each renewal. */
    boolean isRenewed() {
        String way = acquire.text("way");
        return way.equals("HANDLE") || way.equals("RUN");
    }

    /** Returns whether the library may have renewed it until then, so that the history does not know the end of the lease. */
    boolean mayHaveBeenRenewedUnseen(long time) {
        return diedInRenewal || isRenewed() && time - acquire.end() > lease() / 4;
    }

    @Override
    public String toString() {
        return name() + " fence=" + acquire.text("fence") + " granted " + acquire.start() + ".." + acquire.end()
                + " by " + acquire.text("way") + ", trusted " + trusts.getLast().from() + ".." + lastTrust()
                + (release == null ? "" : ", " + release.result() + " " + release.start() + ".." + release.end());
    }
}
