// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.locks;

import com.github.reservation.torture.check.Faults;
import com.github.reservation.torture.check.Verdict;
import com.github.reservation.torture.history.Call;
import com.github.reservation.torture.history.History;
import java.util.List;
import java.util.Map;

/** Counts the faults that struck somebody who held a lock: the others prove little. */
final class HitCheck implements LockCheck {

    @Override
    public Verdict of(History history, Grants grants) {
        List<Grant> all = grants.all();
        long hits = Faults.in(history).all().stream()
                .filter(fault -> all.stream().anyMatch(grant -> isHit(grant, fault)))
                .count();
        return new Verdict(List.of(), Map.of("faults that hit a holder", hits));
    }

    private static boolean isHit(Grant grant, Call fault) {
        String worker = grant.acquire().worker();
        boolean concerned = Faults.concerns(fault, worker) || Faults.isOfServers(fault);
        return concerned
                && grant.acquire().end() < fault.start()
                && grant.reliedUntil() > fault.start()
                && grant.leaseEnd() > fault.start();
    }
}
