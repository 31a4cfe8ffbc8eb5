package io.holdfast.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

class PostgresqlApplicationRowsTests extends ApplicationRowsTests {

    private final EmbeddedPostgres postgres = EmbeddedPostgres.start();

    PostgresqlApplicationRowsTests() throws IOException {}

    @Override
    Map<String, Object> properties(Path directory) {
        return Map.of(
                "spring.datasource.url",
                postgres.getJdbcUrl("postgres", "postgres"),
                "spring.datasource.username",
                "postgres",
                "spring.autoconfigure.exclude",
                JPA);
    }

    @Override
    void stopDatabase() throws IOException {
        postgres.close();
    }
}
