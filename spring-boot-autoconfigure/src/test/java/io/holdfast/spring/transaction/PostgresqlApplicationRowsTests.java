package io.holdfast.spring.transaction;

import io.holdfast.spring.Runners;
import io.holdfast.testsupport.PostgresqlServer;
import java.nio.file.Path;
import java.util.Map;

class PostgresqlApplicationRowsTests extends ApplicationRowsTests {

    private final PostgresqlServer postgres = PostgresqlServer.start();

    @Override
    Map<String, Object> properties(Path directory) {
        return Map.of(
                "spring.datasource.url",
                postgres.newDatabase(),
                "spring.datasource.username",
                PostgresqlServer.USER,
                "spring.autoconfigure.exclude",
                Runners.JPA);
    }

    @Override
    void stopDatabase() {
        postgres.close();
    }
}
