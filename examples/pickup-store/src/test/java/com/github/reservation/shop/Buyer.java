// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A customer who reserves again and again, and then picks up, cancels or forgets. */
final class Buyer implements Runnable {

    private static final String ORDER = "{\"storeId\": 1, \"lines\": [{\"productId\": 1, \"quantity\": 1}]}";

    private final HttpClient http;
    private final List<Instance> instances;
    private final String authorization;
    private final Random random;
    private final BooleanSupplier open;
    private final AtomicInteger reserved;

    Buyer(
            HttpClient http,
            List<Instance> instances,
            int number,
            BooleanSupplier open,
            AtomicInteger reserved) {
        this.http = http;
        this.instances = instances;
        this.authorization = "Basic " + Base64.getEncoder().encodeToString(
                ("buyer" + number + "@example.com:password").getBytes(StandardCharsets.UTF_8));
        this.random = new Random(number);
        this.open = open;
        this.reserved = reserved;
    }

    @Override
    public void run() {
        while (open.getAsBoolean()) {
            try {
                Instance instance = instances.get(random.nextInt(instances.size()));
                HttpResponse<String> answer = post(instance.uri("/api/orders"), ORDER);
                if (answer.statusCode() == 201) {
                    reserved.incrementAndGet();
                    goOn(instance, answer.headers().firstValue("Location").orElseThrow());
                } else if (answer.statusCode() != 409) {
                    throw new AssertionError(answer.statusCode() + " " + answer.body());
                }
                Thread.sleep(random.nextInt(50));
            } catch (IOException e) {
                continue; // The instance was killed; the next attempt may meet the other one.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Most orders are forgotten; some are picked up, and some are cancelled, even twice. */
    private void goOn(Instance instance, String order) throws IOException, InterruptedException {
        int chance = random.nextInt(20);
        if (chance == 0) {
            post(instance.uri(order + "/complete"), "");
        } else if (chance < 8) {
            post(instance.uri(order + "/cancel"), "");
            post(instance.uri(order + "/cancel"), "");
        }
    }

    private HttpResponse<String> post(URI uri, String json) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(5))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(), HttpResponse.BodyHandlers.ofString());
    }
}
