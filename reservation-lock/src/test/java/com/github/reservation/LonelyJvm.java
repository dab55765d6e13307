// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM that has our classes and little else. */
public final class LonelyJvm {

    private final Path folder;
    private final String library;

    /**
     * @param folder for what it writes
     * @param library our classes
     */
    public LonelyJvm(Path folder, String... library) {
        this.folder = folder;
        this.library = String.join(File.pathSeparator, library);
    }

    /** Runs the class with our classes and those jars, and returns the lines that it printed. */
    public List<String> runs(Class<?> main, String jars, List<String> arguments) throws Exception {
        Path output = folder.resolve("output.txt");
        Path errors = folder.resolve("errors.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + log().toString().replace(":", "\\:") + "::filecount=0",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                String.join(File.pathSeparator, library, jarOf(main), jars),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(() -> contentOf(errors.toFile())).isZero();
        return Files.readAllLines(output);
    }

    /** Returns the names of all classes that the last run has loaded. */
    public List<String> loaded() throws IOException {
        return Files.readAllLines(log()).stream()
                .map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "").replaceFirst(" .*", ""))
                .toList();
    }

    private Path log() {
        return folder.resolve("loaded.txt");
    }

    /** Returns the public types that a module exports to everybody, without those that nobody can extend or implement. */
    public static List<String> openTypes(Path classes, String module) throws Exception {
        List<String> types = new ArrayList<>(exportedTypes(classes, module));
        types.removeIf(LonelyJvm::isSealed);
        return types;
    }

    /** Returns the public types that a module exports to everybody. */
    public static List<String> exportedTypes(Path classes, String module) throws Exception {
        List<String> exports = ModuleFinder.of(classes).find(module).orElseThrow().descriptor().exports().stream()
                .filter(exported -> !exported.isQualified())
                .map(exported -> exported.source())
                .sorted()
                .toList();
        List<String> types = new ArrayList<>();
        for (String exported : exports) {
            try (Stream<Path> files = Files.list(classes.resolve(exported.replace('.', '/')))) {
                for (String file : files.map(file -> file.getFileName().toString()).sorted().toList()) {
                    String name = exported + '.' + file.replaceFirst("\\.class$", "");
                    if (file.endsWith(".class") && isPublic(name)) {
                        types.add(name);
                    }
                }
            }
        }
        return types;
    }

    private static boolean isPublic(String className) throws ClassNotFoundException {
        Class<?> type = Class.forName(className, false, LonelyJvm.class.getClassLoader());
        return Modifier.isPublic(type.getModifiers());
    }

    private static boolean isSealed(String className) {
        try {
            return Class.forName(className).isSealed();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the entries of this JVM's class path that match. */
    public static String jarsNamed(String pattern) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.matches(pattern))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns where this JVM has a class from. */
    public static String jarOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
