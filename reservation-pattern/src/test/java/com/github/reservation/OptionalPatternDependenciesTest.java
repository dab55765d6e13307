// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static com.github.reservation.LonelyJvm.jarOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.claim.Claims;
import com.github.reservation.claim.ClaimsAlone;
import com.github.reservation.contract.SideBySide;
import com.github.reservation.expiration.ExpirationAlone;
import com.github.reservation.outbox.OutboxAlone;
import java.nio.file.Path;
import java.util.List;
import org.h2.Driver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims, expiration and outbox in a JVM of their own, without what they can do without. */
@SideBySide
@Tag("long")
class OptionalPatternDependenciesTest {

    private static final String MODULE = "com.github.reservation.pattern";
    private static final String CLASSES = System.getProperty("reservation.classes");

    @TempDir
    private Path folder;

    @Test
    void claimsNeedADriverAndNoOtherJar() throws Exception {
        assertThat(jvm().runs(ClaimsAlone.class, jarOf(Driver.class), List.of())).containsExactly("claimed", "claimed");
    }

    @Test
    void expirationNeedsADriverAndNoOtherJar() throws Exception {
        assertThat(jvm().runs(ExpirationAlone.class, jarOf(Driver.class), List.of()))
                .containsExactly("expired 1", "processed 1");
    }

    @Test
    void theOutboxNeedsADriverAndACodecAndNoOtherJar() throws Exception {
        assertThat(jvm().runs(OutboxAlone.class, jarOf(Driver.class), List.of()))
                .containsExactly(
                        "codec must be set before building, because Jackson is not on the class path: write one, or add"
                                + " com.fasterxml.jackson.core:jackson-databind, 2.10 or newer",
                        "arrived hello",
                        "delivered 1");
    }

    @Test
    void everyExportedTypeCanBeLookedAtWithTheJdkAlone() throws Exception {
        List<String> exported = LonelyJvm.exportedTypes(Path.of(CLASSES), MODULE);
        assertThat(exported).contains(Claims.class.getName());

        assertThat(jvm().runs(LookedAt.class, "", exported)).containsExactlyElementsOf(exported);
    }

    /** Mockito reads the generic signatures of a type, too. It makes no mocks of a sealed interface, whoever writes it. */
    @Test
    void everyExportedTypeCanBeMockedWithMockitoAlone() throws Exception {
        List<String> exported = LonelyJvm.openTypes(Path.of(CLASSES), MODULE);

        assertThat(jvm().runs(MockedAlone.class, LonelyJvm.jarsNamed(".*(mockito|byte-buddy|objenesis).*"), exported))
                .containsExactlyElementsOf(exported);
    }

    private LonelyJvm jvm() throws Exception {
        return new LonelyJvm(folder, CLASSES, jarOf(ReservationManager.class));
    }
}
