// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.httpBasic;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs the examples of API.md, one after another, and compares the answers. */
@RunningShop
class ApiExamplesTest {

    private static final Pattern EXAMPLE =
            Pattern.compile("```sh\n(curl [^\n]*)\n```\n\n```json\n(\\d+)\\s+(.*?)```", Pattern.DOTALL);
    private static final Pattern USER = Pattern.compile(" -u (\\S+):(\\S+)");
    private static final Pattern JSON = Pattern.compile(" --json '(.*)'");
    private static final Pattern PATH = Pattern.compile(" localhost:8080(\\S+)$");

    @Autowired
    private MockMvcTester mvc;

    private final JsonMapper mapper = new JsonMapper();
    private String id = "";
    private String token = "";

    @Test
    void theExamplesAnswerAsTheyAreWritten() throws IOException {
        Matcher examples = EXAMPLE.matcher(Files.readString(Path.of("API.md")));
        int count = 0;
        while (examples.find()) {
            count++;
            String command = examples.group(1).replace("$id", id).replace("$token", token);
            MvcTestResult answer = run(command);
            String body = answer.getResponse().getContentAsString(StandardCharsets.UTF_8);

            assertThat(answer.getResponse().getStatus()).as("%s%n%s", command, body)
                    .isEqualTo(Integer.parseInt(examples.group(2)));
            JsonNode actual = mapper.readTree(body);
            assertSame(mapper.readTree(examples.group(3)), actual, command);
            id = actual.path("id").asString(id);
            token = actual.path("token").asString(token);
        }
        assertThat(count).isEqualTo(11);
    }

    private MvcTestResult run(String command) {
        Matcher json = JSON.matcher(command);
        boolean post = json.find() || command.contains(" -X POST");
        MockMvcTester.MockMvcRequestBuilder request =
                mvc.method(post ? HttpMethod.POST : HttpMethod.GET).uri(first(PATH, command));
        Matcher user = USER.matcher(command);
        if (user.find()) {
            request.with(httpBasic(user.group(1), user.group(2)));
        }
        if (command.contains("--json")) {
            request.contentType(MediaType.APPLICATION_JSON).content(first(JSON, command));
        }
        return request.exchange();
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
        return matcher.group(1);
    }

    private static void assertSame(JsonNode expected, JsonNode actual, String where) {
        if (expected.isString() && expected.asString().equals("…")) {
            assertThat(actual.isMissingNode()).as(where).isFalse();
        } else if (expected.isObject()) {
            assertThat(new TreeSet<>(actual.propertyNames())).as(where)
                    .isEqualTo(new TreeSet<>(expected.propertyNames()));
            expected.propertyNames().forEach(name -> assertSame(
                    expected.get(name), actual.path(name), where + " " + name));
        } else if (expected.isArray()) {
            assertThat(actual.size()).as(where).isEqualTo(expected.size());
            for (int index = 0; index < expected.size(); index++) {
                assertSame(expected.get(index), actual.get(index), where + " " + index);
            }
        } else {
            assertThat(actual).as(where).isEqualTo(expected);
        }
    }

    @Test
    void openApiDescribesEveryPath() throws IOException {
        JsonNode description = mapper.readTree(
                mvc.get().uri("/api/openapi").exchange().getResponse().getContentAsString());
        Set<String> paths = new LinkedHashSet<>(description.path("paths").propertyNames());

        assertThat(paths).containsExactlyInAnyOrder(
                "/api/stores",
                "/api/stores/{storeId}/products",
                "/api/stores/{storeId}/counts",
                "/api/products/{productId}",
                "/api/orders",
                "/api/orders/{orderId}",
                "/api/orders/{orderId}/complete",
                "/api/orders/{orderId}/cancel",
                "/api/notifications",
                "/api/sign-ups",
                "/api/sign-ups/{id}/complete",
                "/api/sign-ups/{id}/cancel");
        assertThat(description.at("/info/title").asString()).isEqualTo("Pickup store");
        assertThat(description.at("/components/securitySchemes/basic/scheme").asString()).isEqualTo("basic");
    }
}
