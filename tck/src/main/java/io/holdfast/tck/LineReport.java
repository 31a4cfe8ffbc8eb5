package io.holdfast.tck;

import io.holdfast.tck.harness.DeadLetterLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Counts, for one test run, how many cases of each line of the dead-letter contract each adapter passed. Not
 * thread-safe.
 */
final class LineReport {

    static final String FILE = "dead-letter-lines.md";

    private final Map<String, Map<Integer, KitReport.Cell>> columns = new TreeMap<>();

    void add(TestIdentifier test, String adapter, KitReport.Cell one) {
        for (int line : linesOf(test)) {
            columns.computeIfAbsent(adapter, unknown -> new TreeMap<>()).merge(line, one, KitReport.Cell::plus);
        }
    }

    private static Set<Integer> linesOf(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(MethodSource.class::cast)
                .map(source -> DeadLetterLines.of(source.getJavaMethod(), source.getJavaClass()))
                .orElse(Set.of());
    }

    /** Writes the table to the given build directory, if the directory exists and the run had such cases. */
    void write(Path directory) {
        if (!columns.isEmpty() && Files.isDirectory(directory)) {
            Map<String, Map<Integer, String>> rendered = new TreeMap<>();
            columns.forEach((adapter, cells) -> {
                Map<Integer, String> column = new TreeMap<>();
                cells.forEach((line, cell) -> column.put(line, cell.render()));
                rendered.put(adapter, column);
            });
            try {
                Files.writeString(directory.resolve(FILE), DeadLetterLines.table(rendered));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        columns.clear();
    }
}
