// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.jdbc;

import com.github.reservation.jdbc.OracleIntegrationTest.WhereDockerIs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.oracle.OracleContainer;

/** The whole contract on Oracle Database Free in a container. */
@ExtendWith(WhereDockerIs.class)
class OracleIntegrationTest extends OracleServerContract {

    private static OracleContainer oracle;

    @BeforeAll
    static void start() {
        oracle = new OracleContainer("gvenzl/oracle-free:slim-faststart").withUsername("locks").withPassword("locks");
        oracle.start();
    }

    @AfterAll
    static void stop() {
        oracle.stop();
    }

    @Override
    protected String url() {
        return oracle.getJdbcUrl();
    }

    @Override
    protected String user() {
        return oracle.getUsername();
    }

    @Override
    protected String password() {
        return oracle.getPassword();
    }

    /** Looks where Docker would be, and asks nobody: Testcontainers would take long to find out, and tell a long story. */
    static final class WhereDockerIs implements ExecutionCondition {

        private static final Path SOCKET = Path.of("/var/run/docker.sock");

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (System.getenv("DOCKER_HOST") != null || Files.exists(SOCKET)) {
                return ConditionEvaluationResult.enabled("There is Docker");
            }
            String reason = "OracleIntegrationTest is skipped: no Docker here (no DOCKER_HOST, no " + SOCKET + ")";
            System.out.println(reason);
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
