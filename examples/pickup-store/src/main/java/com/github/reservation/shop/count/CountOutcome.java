// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop.count;

import java.util.List;

/**
 * A result as its page shows it.
 *
 * @param kind {@code counted}, {@code busy} or {@code lost}
 */
public record CountOutcome(String kind, String title, String text, List<String> steps) {

    static CountOutcome of(CountResult result, String store) {
        return switch (result) {
            case CountResult.Counted counted -> new CountOutcome(
                    "counted", store + " is counted", counted.units() + " units, held ones included.", List.of());
            case CountResult.Busy busy -> new CountOutcome("busy", "Somebody is at it", busy(busy), List.of());
            case CountResult.Lost lost -> new CountOutcome(
                    "lost",
                    "The lock was lost",
                    lost.refused()
                            ? "The late write was refused. The count of the new holder stands."
                            : "Another count may have run at the same time.",
                    lost.steps());
        };
    }

    private static String busy(CountResult.Busy busy) {
        Running running = busy.running();
        return running == null
                ? "The other count has just ended. Try again."
                : "%s has been counting for %d s. The lock ends in %s at the latest.".formatted(
                        running.by(), running.sinceSeconds(), running.remaining());
    }
}
