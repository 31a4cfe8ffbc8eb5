package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CauseGroupTests {

    private static final String TRACE =
            """
            java.lang.IllegalStateException: no stock
            \tat java.base/java.util.Optional.orElseThrow(Optional.java:403)
            \tat app//shop.Stock.reserve(Stock.java:%s)
            \tat shop.Inventory$$SpringCGLIB$$0.handle(<generated>)""";

    private static String id(String component, String type, String trace, String... chain) {
        return CauseGroup.id(component, new Cause(type, "message", trace, List.of(chain)));
    }

    private static String id(String trace) {
        return id("stock", "Boom", trace);
    }

    @Test
    void doesNotDependOnLineNumberOrMessage() {
        assertThat(id(TRACE.formatted("17"))).isEqualTo(id(TRACE.formatted("18")));
        assertThat(CauseGroup.id("stock", new Cause("Boom", "other", TRACE.formatted("17"))))
                .isEqualTo(id(TRACE.formatted("17")));
    }

    @Test
    void dependsOnComponentTypeRootAndFrame() {
        assertThat(List.of(
                        id("stock", "Boom", TRACE),
                        id("mail", "Boom", TRACE),
                        id("stock", "Bang", TRACE),
                        id("stock", "Boom", TRACE, "java.io.IOException: reset"),
                        id("stock", "Boom", TRACE, "java.io.IOException: reset", "Root: cause"),
                        id("stock", "Boom", TRACE.replace("reserve", "release"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void ignoresMessageOfRoot() {
        assertThat(id("stock", "Boom", TRACE, "Root: of order 1"))
                .isEqualTo(id("stock", "Boom", TRACE, "Root: of order 2"));
        assertThat(id("stock", "Boom", TRACE, "Root")).isEqualTo(id("stock", "Boom", TRACE, "Root: of order 2"));
    }

    @Test
    void findsFirstFrameOfTheApplication() {
        assertThat(ApplicationFrame.of(TRACE)).isEqualTo("shop.Stock.reserve");
        assertThat(ApplicationFrame.of("Boom\n\tat org.springframework.Tx.run(Tx.java:1)\n\tat a.B.c(B.java:2)"))
                .isEqualTo("a.B.c");
    }

    @Test
    void findsFirstFrameIfNoneBelongsToTheApplication() {
        assertThat(ApplicationFrame.of("Boom\n\tat java.util.List.of(List.java:1)\n\tat java.util.Map.of(Map.java:2)"))
                .isEqualTo("java.util.List.of");
        assertThat(ApplicationFrame.of("")).isEmpty();
        assertThat(ApplicationFrame.of("no trace")).isEmpty();
    }

    /** The compiler numbers lambdas, and proxies are numbered at run time. */
    @Test
    void ignoresGeneratedNumbers() {
        assertThat(ApplicationFrame.of("at shop.Stock.lambda$reserve$3(Stock.java:1)"))
                .isEqualTo(ApplicationFrame.of("at shop.Stock.lambda$reserve$14(Stock.java:1)"));
        assertThat(ApplicationFrame.of("at shop.Stock$$SpringCGLIB$$1.reserve(<generated>)"))
                .isEqualTo("shop.Stock.reserve");
        assertThat(ApplicationFrame.of("at shop.Stock$$Lambda/0x0000.reserve(Unknown Source)"))
                .endsWith(".reserve");
    }
}
