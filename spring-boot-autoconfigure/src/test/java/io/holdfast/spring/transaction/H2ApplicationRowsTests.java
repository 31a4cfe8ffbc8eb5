package io.holdfast.spring.transaction;

import io.holdfast.spring.Runners;
import java.nio.file.Path;
import java.util.Map;

class H2ApplicationRowsTests extends ApplicationRowsTests {

    @Override
    Map<String, Object> properties(Path directory) {
        return Map.of("framework.h2.directory", directory.toString(), "spring.autoconfigure.exclude", Runners.JPA);
    }
}
