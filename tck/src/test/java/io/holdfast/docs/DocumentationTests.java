package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code in the documentation is code of a test, links lead somewhere, and defaults are the code's. */
class DocumentationTests {

    private static final Path REPOSITORY = Path.of("..");
    private static final Pattern JAVA =
            Pattern.compile("(<!-- snippet: (\\S+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(#[^)]*)?\\)");
    private static final Pattern DEFAULT = Pattern.compile("\\| (\\d+|PT\\w+) \\| `(\\w+)\\.(\\w+)` \\|");

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
    void javaIsQuotedFromATest(Path page) throws IOException {
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
    void linksLeadSomewhere(Path page) throws IOException {
        Matcher links = LINK.matcher(Files.readString(page));
        while (links.find()) {
            if (!links.group(1).startsWith("http")) {
                assertThat(page.resolveSibling(links.group(1))).exists();
            }
        }
    }

    @Test
    void defaultsAreTheCodes() throws IOException, ReflectiveOperationException {
        Matcher rows = DEFAULT.matcher(Files.readString(REPOSITORY.resolve("docs/reference.md")));
        int found = 0;
        while (rows.find()) {
            found++;
            assertThat(constant(rows.group(2), rows.group(3)))
                    .as("%s.%s", rows.group(2), rows.group(3))
                    .isEqualTo(rows.group(1));
        }
        assertThat(found).isGreaterThan(8);
    }

    /** A number, or a duration as ISO 8601 writes it. */
    private static String constant(String type, String name) throws IOException, ReflectiveOperationException {
        try (Stream<Path> sources = Files.walk(REPOSITORY.resolve("core/src/main/java"))) {
            Path source = sources.filter(file -> file.endsWith(type + ".java"))
                    .findFirst()
                    .orElseThrow();
            String className = Files.readAllLines(source).stream()
                            .filter(line -> line.startsWith("package "))
                            .findFirst()
                            .orElseThrow()
                            .replaceAll("package (.*);", "$1")
                    + "." + type;
            return String.valueOf(Class.forName(className).getField(name).get(null));
        }
    }

    private static String withoutSpace(String code) {
        return code.replaceAll("\\s+", "");
    }
}
