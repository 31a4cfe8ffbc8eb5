package io.holdfast.spring.transaction;

import java.nio.file.Path;
import java.util.Map;

/** With letters stored through JPA, and JPA's transaction manager. */
class JpaApplicationRowsTests extends ApplicationRowsTests {

    @Override
    Map<String, Object> properties(Path directory) {
        return Map.of("framework.h2.directory", directory.toString(), "framework.dlq.store", "jpa");
    }
}
