// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.benchmark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of what is on the class path, from the names of the files. */
final class Versions {

    private Versions() {}

    static String of(String artifact) {
        Matcher file = Pattern.compile("[/\\\\]" + artifact + "-([0-9][^/\\\\]*)\\.jar")
                .matcher(System.getProperty("java.class.path"));
        if (!file.find()) {
            throw new IllegalStateException("Not on the class path: " + artifact);
        }
        return file.group(1);
    }
}
