package io.holdfast.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;

/** Which adapter passed how many cases of which line of the contract of dead letters, in one test run. For one thread. */
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

    /** Writes the table where a build keeps what it makes, if there is such a directory and something to write. */
    void write(Path directory) {
        if (!columns.isEmpty() && Files.isDirectory(directory)) {
            Map<String, Map<Integer, String>> shown = new TreeMap<>();
            columns.forEach((adapter, cells) -> {
                Map<Integer, String> column = new TreeMap<>();
                cells.forEach((line, cell) -> column.put(line, cell.render()));
                shown.put(adapter, column);
            });
            try {
                Files.writeString(directory.resolve(FILE), DeadLetterLines.table(shown));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        columns.clear();
    }
}
