package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Java in the documentation is quoted from tests, links resolve, and defaults match the code. */
class DocumentationTests {

    private static final Path REPOSITORY = Path.of("..");
    private static final Pattern JAVA =
            Pattern.compile("(<!-- snippet: (\\S+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern DEFAULT = Pattern.compile("\\| ([\\w.]+(?: \\w+)?) \\| `(\\w+)\\.(\\w+)` \\|");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(REPOSITORY.resolve("docs"))) {
            return Stream.concat(
                            docs.filter(file -> file.toString().endsWith(".md")),
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(REPOSITORY::resolve))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void javaBlocksAreQuotedFromTests(Path page) throws IOException {
        Matcher blocks = JAVA.matcher(Files.readString(page));
        while (blocks.find()) {
            assertThat(blocks.group(2))
                    .as("a java block without a snippet comment in %s", page)
                    .isNotNull();
            String source = Files.readString(REPOSITORY.resolve(blocks.group(2)));
            assertThat(withoutSpace(source))
                    .as("%s quotes %s", page, blocks.group(2))
                    .contains(withoutSpace(blocks.group(3)));
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksResolve(Path page) throws IOException {
        Matcher links = LINK.matcher(Files.readString(page));
        while (links.find()) {
            if (!links.group(1).startsWith("http")) {
                assertThat(page.resolveSibling(links.group(1))).exists();
            }
        }
    }

    @Test
    void defaultsMatchCode() throws IOException, ReflectiveOperationException {
        Matcher rows = DEFAULT.matcher(Files.readString(REPOSITORY.resolve("docs/reference.md")));
        int found = 0;
        while (rows.find()) {
            found++;
            assertThat(constant(rows.group(2), rows.group(3)))
                    .as("%s.%s", rows.group(2), rows.group(3))
                    .isEqualTo(rows.group(1));
        }
        assertThat(found).isGreaterThan(24);
    }

    /**
     * Returns the value of a constant as the docs write it. Only core is on the class path, so other modules are read
     * from source.
     */
    private static String constant(String type, String name) throws IOException, ReflectiveOperationException {
        Path source = source(type);
        Matcher declared = Pattern.compile("package ([\\w.]+);").matcher(Files.readString(source));
        assertThat(declared.find()).isTrue();
        if (source.startsWith(REPOSITORY.resolve("core"))) {
            Object value =
                    Class.forName(declared.group(1) + "." + type).getField(name).get(null);
            return value instanceof Duration duration ? written(duration) : String.valueOf(value);
        }
        Matcher value = Pattern.compile(name + " = (?:Duration\\.of(\\w+)\\()?([\\d_]+)\\)?;")
                .matcher(Files.readString(source));
        assertThat(value.find()).as("%s in %s", name, source).isTrue();
        String number = value.group(2).replace("_", "");
        return value.group(1) == null
                ? number
                : written(Duration.of(
                        Long.parseLong(number),
                        ChronoUnit.valueOf(value.group(1).toUpperCase(Locale.ROOT))));
    }

    private static Path source(String type) throws IOException {
        for (String module : List.of("core", "jdbc", "hazelcast")) {
            try (Stream<Path> sources = Files.walk(REPOSITORY.resolve(module + "/src/main/java"))) {
                Optional<Path> found =
                        sources.filter(file -> file.endsWith(type + ".java")).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw new AssertionError("No source found for " + type);
    }

    private static String written(Duration duration) {
        if (duration.toHoursPart() + duration.toDays() > 0 && duration.toMinutesPart() == 0) {
            return duration.toHours() + " h";
        }
        return duration.toMillisPart() == 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
