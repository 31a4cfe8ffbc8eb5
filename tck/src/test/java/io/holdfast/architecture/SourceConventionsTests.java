package io.holdfast.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Conventions that the compiler does not check, over the sources of all modules. */
class SourceConventionsTests {

    private static final Path REPOSITORY = Path.of("..");
    private static final Path THIS_FILE = Path.of("SourceConventionsTests.java");

    @Test
    void noTestSleepsOrIsDisabled() {
        Pattern forbidden = Pattern.compile("Thread\\.sleep|TimeUnit\\.\\w+\\.sleep|@Disabled");

        assertThat(linesOf(forbidden)
                        .filter(line -> line.contains("/src/test/")
                                || line.contains("/tck/")
                                || line.contains("/test-support/")))
                .isEmpty();
    }

    @Test
    void noTaskMarkersRemain() {
        assertThat(linesOf(Pattern.compile("TODO|FIXME|XXX|printStackTrace\\(\\)")))
                .isEmpty();
    }

    @Test
    void findsSources() {
        assertThat(sources()).hasSizeGreaterThan(100);
    }

    private static Stream<String> linesOf(Pattern pattern) {
        return sources().stream().filter(file -> !file.endsWith(THIS_FILE)).flatMap(file -> lines(file)
                .filter(line -> pattern.matcher(line).find())
                .map(line -> file + ": " + line.strip()));
    }

    private static List<Path> sources() {
        try (Stream<Path> files = Files.walk(REPOSITORY)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("target"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
