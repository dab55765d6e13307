// SPDX-License-Identifier: Apache-2.0
package com.github.reservation.shop;

import com.github.reservation.contract.Backend;
import com.github.reservation.contract.Needs;
import com.github.reservation.jdbc.server.PostgresServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** The scripts of the profile {@code postgres}. */
@Needs(Backend.POSTGRESQL)
class FirstStartTest {

    private static final int INSTANCES = 4;

    @RepeatedTest(3)
    void instancesThatStartAtOnceCreateTheTablesTogether() throws Exception {
        DataSource dataSource = PostgresServer.shared().newDatabase().dataSource();
        Properties profile = PropertiesLoaderUtils.loadAllProperties("application-postgres.properties");
        Resource[] scripts = Stream.of(profile.getProperty("spring.sql.init.schema-locations").split(","))
                .map(new DefaultResourceLoader()::getResource)
                .toArray(Resource[]::new);
        CyclicBarrier barrier = new CyclicBarrier(INSTANCES);
        try (ExecutorService threads = Executors.newFixedThreadPool(INSTANCES)) {
            List<Future<?>> instances = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(threads.submit(() -> {
                    barrier.await(30, TimeUnit.SECONDS);
                    new ResourceDatabasePopulator(scripts).execute(dataSource);
                    return null;
                }));
            }

            for (Future<?> instance : instances) {
                instance.get(); // Fails with the exception of the instance.
            }
        }
    }
}
