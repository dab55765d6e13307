// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate that nobody has signed, for servers that are to speak TLS. */
final class Certificate {

    private static final String PASSWORD = "secret";

    private Certificate() {}

    /** Writes {@code server.crt} and {@code server.key}. */
    static void write(Path directory) throws IOException, GeneralSecurityException {
        Path store = directory.resolve("server.p12");
        Installation.run(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=127.0.0.1",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(store)) {
            keys.load(content, PASSWORD.toCharArray());
        }
        Files.writeString(directory.resolve("server.crt"),
                pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
        Path key = Files.createFile(
                directory.resolve("server.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(key, pem("PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }
}
