// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.torture.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a configuration of TLC, in which each constant has a line of its own. */
record Config(String text) {

    private static final Pattern INVARIANTS = Pattern.compile("^INVARIANTS .*$", Pattern.MULTILINE);

    static Config read(Path file) throws IOException {
        return new Config(Files.readString(file));
    }

    /** Returns it with other values of constants. */
    Config with(Map<String, String> constants) {
        String changed = text;
        for (Map.Entry<String, String> constant : constants.entrySet()) {
            Pattern line = Pattern.compile("^  " + constant.getKey() + " = .*$", Pattern.MULTILINE);
            changed = replace(changed, line, "  " + constant.getKey() + " = " + constant.getValue());
        }
        return new Config(changed);
    }

    /** Returns it with this invariant alone. */
    Config withInvariant(String invariant) {
        return new Config(replace(text, INVARIANTS, "INVARIANTS " + invariant));
    }

    private static String replace(String text, Pattern line, String by) {
        Matcher found = line.matcher(text);
        if (!found.find()) {
            throw new IllegalArgumentException("There is no line " + line + " in\n" + text);
        }
        return found.replaceFirst(Matcher.quoteReplacement(by));
    }
}
