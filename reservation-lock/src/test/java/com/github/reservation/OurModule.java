// SPDX-License-Identifier: Apache-2.0
package com.github.reservation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Reads the descriptor of the module that is tested. */
abstract class OurModule {

    ModuleDescriptor module;

    @BeforeEach
    void read() throws IOException {
        try (InputStream in =
                Files.newInputStream(Path.of(System.getProperty("reservation.classes"), "module-info.class"))) {
            module = ModuleDescriptor.read(in);
        }
    }

    /** Returns the modules without which it does not run. */
    List<String> required() {
        return module.requires().stream().filter(required -> !isForTheCompiler(required)).map(Requires::name).toList();
    }

    /** Returns the modules that only the compiler needs. */
    List<String> requiredByTheCompiler() {
        return module.requires().stream().filter(OurModule::isForTheCompiler).map(Requires::name).toList();
    }

    private static boolean isForTheCompiler(Requires required) {
        return required.modifiers().contains(Modifier.STATIC);
    }
}
