package io.holdfast.spring;

import java.nio.file.Path;
import java.util.Map;

/** The same with letters kept by JPA, and JPA's transaction manager. */
class JpaApplicationRowsTests extends ApplicationRowsTests {

    @Override
    Map<String, Object> properties(Path directory) {
        return Map.of("framework.h2.directory", directory.toString(), "framework.dlq.store", "jpa");
    }
}
