// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles what a user has written. */
final class Compilation {

    private Compilation() {}

    /** Returns what the compiler has to say; nothing if all is well. */
    static String of(List<String> options, Path... sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        List<String> all = new ArrayList<>(List.of("--release", "21", "-proc:none"));
        all.addAll(options);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean unused = compiler.getTask(output, files, null, all, null, files.getJavaFileObjects(sources))
                    .call();
        }
        return output.toString();
    }
}
