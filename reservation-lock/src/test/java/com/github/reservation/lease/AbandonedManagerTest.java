// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.reservation.Ticker;
import com.github.reservation.contract.ChildJvm;
import com.github.reservation.contract.SideBySide;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A manager on a provider cannot be closed: so it must leave nothing behind when a server drops the application that used it. */
@SideBySide
class AbandonedManagerTest {

    private static final String LIBRARY = "reservation.classes";

    @Test
    void itsThreadsEndAndItsClassesAreCollected() throws Exception {
        String tests = Path.of(AbandonedManagerTest.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
        List<String> server = List.of(
                "-XX:SoftRefLRUPolicyMSPerMB=0", // The JDK keeps some classes softly.
                "-D" + LIBRARY + "=" + System.getProperty(LIBRARY),
                "-cp", tests,
                Server.class.getName(), tests);

        try (ChildJvm jvm = new ChildJvm(ChildJvm.newDirectory(), server)) {
            assertThat(jvm.answer()).isEqualTo("used");
            assertThat(jvm.answer()).isEqualTo("collected");
        }
    }

    /** Runs an application in a class loader of its own, drops it, and says whether its classes are collected in a minute. */
    static final class Server {

        private Server() {}

        public static void main(String[] arguments) throws Exception {
            WeakReference<ClassLoader> dropped = runAndDrop(Path.of(arguments[0]));
            System.out.println("used");
            long giveUp = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (dropped.get() != null && System.nanoTime() - giveUp < 0) {
                System.gc();
                Thread.sleep(100);
            }
            System.out.println(dropped.get() == null ? "collected" : "kept");
        }

        private static WeakReference<ClassLoader> runAndDrop(Path tests) throws Exception {
            URL[] classPath = {Path.of(System.getProperty(LIBRARY)).toUri().toURL(), tests.toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
                Class<?> application = loader.loadClass(Application.class.getName());
                ((Runnable) application.getDeclaredConstructor().newInstance()).run();
                return new WeakReference<>(loader);
            }
        }
    }

    /** An application that has a provider of its own, and uses a lock of a manager on it. */
    public static final class Application implements Runnable {

        public Application() {}

        @Override
        public void run() {
            LockManager locks =
                    LockManager.of(new HandWrittenProvider(Duration.ofHours(1), Ticker.system()),
                            Duration.ofMinutes(1));
            locks.tryRun("report", lock -> {});
        }
    }
}
