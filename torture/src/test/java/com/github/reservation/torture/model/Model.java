// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import static com.github.reservation.torture.model.PlantedBug.bug;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A model in {@code docs/robustness}, and the bugs that are planted in it to see that TLC finds them. */
enum Model {
    LEASE("Lease", 200_000, 800_000, Map.of("MostForces", "1"), List.of(
            bug("TrustFromReply", "Exclusive", small()),
            bug("NoMargin", "Exclusive", Map.of("MostLost", "0", "MostRenewals", "0")),
            bug("DoubtFromLast", "Exclusive", Map.of("MostRenewals", "0")),
            bug("TimeBeforeRequest", "Exclusive", Map.of("MostLost", "0", "MostRenewals", "0")),
            bug("ReleaseByClient", "Exclusive", Map.of(
                    "MostNames", "3", "MostGrants", "3", "MostLost", "0", "MostRenewals", "0", "Slow", "{}")),
            bug("ReleaseAny", "Exclusive",
                    Map.of("MostNames", "3", "MostGrants", "3", "MostLost", "0", "MostRenewals", "0", "Slow", "{}")),
            bug("RenewAny", "Exclusive", Map.of(
                    "LeaseTime", "4", "MostLost", "0", "MostStale", "0", "Slow", "{}")),
            bug("RenewEnded", "EndedStaysEnded", Map.of()),
            bug("RenewShortens", "TrustedLeaseExists", Map.of("MostNames", "1", "MostRenewals", "2")),
            bug("FenceStartsAgain", "WritesInOrder", small()),
            bug("Unfenced", "WritesInOrder", small()))),

    TURNS("Turns", 15_000, 250_000, Map.of("Nodes", "{a, b, c}"), List.of(
            bug("IgnoreReservation", "ReservedForFirst", Map.of()),
            bug("ReservedForever", "FreeKeyIsTaken", Map.of()),
            bug("GraceTooShort", "LiveNodeKeepsPlace", Map.of()),
            bug("KeepPlace", "TurnComes", Map.of("Stay", "0", "LeaseTime", "1")),
            bug("NoGraceForNext", "LiveNodeKeepsPlace", Map.of()),
            bug("JoinAtFront", "NobodyKeepsTheKey", Map.of("Stay", "0", "LeaseTime", "1", "MostGone", "0")),
            bug("PassForever", "NobodyKeepsTheKey", Map.of("MostGone", "0")),
            bug("PassUnchecked", "OneHolder", Map.of()))),

    CLAIM("Claim", 100_000, 250_000, Map.of("MostChanges", "5"), List.of(
            bug("ConfirmAny", "ConfirmedIsOwner", Map.of()),
            bug("ConfirmOverdue", "OverStaysOver", Map.of()),
            bug("ExtendOverdue", "OverStaysOver", Map.of()),
            bug("ReleaseAny", "NobodyIsRobbed", Map.of()),
            bug("TakeUnread", "NobodyIsRobbed", Map.of()),
            bug("TakeActive", "NobodyIsRobbed", Map.of()),
            bug("SweepUnread", "ConfirmedIsOwner", Map.of()),
            bug("LapseUnreported", "EndReportedOnce", Map.of()),
            bug("TokenUnknown", "OwnClaimIsKnown", Map.of()),
            bug("DoubtByStatus", "ConfirmedIsOwner", Map.of("Sweepers", "{s1}")))),

    OUTBOX("Outbox", 50_000, 200_000, Map.of("MostFailures", "1"), List.of(
            bug("RemoveWhenRead", "AtLeastOnce", failing()),
            bug("TakeLeased", "OneAtATime", failing()),
            bug("NoCourier", "OneAtATime", failing()),
            bug("OpenUnleased", "OneAtATime", failing()),
            bug("RecordUnowned", "StaleChangesNothing", failing()),
            bug("ReleaseUnowned", "StaleChangesNothing", failing()),
            bug("ReadOthers", "OneAtATime", failing()),
            bug("GoOnAfterFailure", "InOrder", failing()),
            bug("MoveToClosed", "NoneLeftBehind", failing()),
            bug("CloseUnlooked", "NoneLeftBehind", failing())));

    private final String module;
    private final long leastStates;
    private final long leastDeepStates;
    private final Map<String, String> deeper;
    private final List<PlantedBug> bugs;

    Model(String module, long leastStates, long leastDeepStates, Map<String, String> deeper, List<PlantedBug> bugs) {
        this.module = module;
        this.leastStates = leastStates;
        this.leastDeepStates = leastDeepStates;
        this.deeper = deeper;
        this.bugs = bugs;
    }

    private static Map<String, String> small() {
        return Map.of("MostLost", "0", "MostRenewals", "0", "Slow", "{}", "MostStale", "0");
    }

    private static Map<String, String> failing() {
        return Map.of("MostFailures", "1");
    }

    /** Returns how many states it has at least: with fewer, its limits are too tight to show anything. */
    long leastStates() {
        return Tlc.DEEP ? leastDeepStates : leastStates;
    }

    List<PlantedBug> bugs() {
        return bugs;
    }

    /** Returns the switches of its configuration. */
    List<String> switches() throws IOException {
        return Files.readAllLines(config()).stream()
                .filter(line -> line.endsWith(" = FALSE"))
                .map(line -> line.substring(0, line.indexOf('=')).strip())
                .toList();
    }

    /** Checks the rules of the library. */
    Tlc.Result check() throws IOException, InterruptedException {
        return check(name(), Config.read(config()).with(Tlc.DEEP ? deeper : Map.of()), List.of());
    }

    /** Checks the rules with a bug, against the invariant that it breaks. */
    Tlc.Result check(PlantedBug bug) throws IOException, InterruptedException {
        Config config = Config.read(config())
                .with(Map.of(bug.name(), "TRUE"))
                .with(bug.limits())
                .withInvariant(bug.invariant());
        return check(name() + "-" + bug.name(), config, List.of("-XX:TieredStopAtLevel=1"));
    }

    private Path config() {
        return Tlc.MODELS.resolve(module + ".cfg");
    }

    private Tlc.Result check(String run, Config config, List<String> options) throws IOException, InterruptedException {
        Path directory = Tlc.directory(run, module);
        Files.writeString(directory.resolve(module + ".cfg"), config.text());
        return Tlc.check(directory, module, options);
    }
}
