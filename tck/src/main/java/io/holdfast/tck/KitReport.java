package io.holdfast.tck;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints, at the end of a test run, how many tests of each kit and duty each adapter passed, and writes the same for
 * the lines of the dead-letter contract. JUnit discovers this listener automatically when the kits are on the class
 * path.
 */
public final class KitReport implements TestExecutionListener {

    private final Map<String, Map<String, Cell>> table = new TreeMap<>();
    private final LineReport lines = new LineReport();

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            add(test, Cell.of(result.getStatus()));
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        if (test.isTest()) {
            add(test, Cell.SKIPPED);
        }
    }

    @Override
    @SuppressWarnings("SystemOut") // the table belongs in the build output
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        if (!table.isEmpty()) {
            System.out.println(render());
            table.clear();
        }
        lines.write(Path.of("target"));
    }

    private void add(TestIdentifier test, Cell one) {
        List<UniqueId.Segment> path = test.getUniqueIdObject().getSegments();
        segment(path, "class").flatMap(KitReport::run).ifPresent(run -> {
            String duty = run.port() + " / " + segment(path, "nested-class").orElse("all");
            table.computeIfAbsent(duty, unknown -> new TreeMap<>()).merge(run.adapter(), one, Cell::plus);
            lines.add(test, run.adapter(), one);
        });
    }

    private static Optional<String> segment(List<UniqueId.Segment> path, String type) {
        return path.stream()
                .filter(segment -> segment.getType().equals(type))
                .map(UniqueId.Segment::getValue)
                .findFirst();
    }

    /** Returns the adapter and port of a class that runs a kit, or empty for any other class. */
    static Optional<Run> run(String className) {
        try {
            Class<?> type = Class.forName(className);
            return Kits.ALL.stream()
                    .filter(kit -> kit.isAssignableFrom(type))
                    .map(kit -> kit.getSimpleName().replaceFirst("Kit$", ""))
                    .map(port -> new Run(type.getSimpleName().replaceFirst(port + "Tests$", ""), port))
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private String render() {
        TreeSet<String> adapters = new TreeSet<>();
        table.values().forEach(row -> adapters.addAll(row.keySet()));
        StringBuilder text =
                new StringBuilder("%nContract tests passed, by duty and adapter:%n%-45s".formatted("kit / duty"));
        adapters.forEach(adapter -> text.append("%19s".formatted(adapter)));
        table.forEach((duty, row) -> {
            text.append("%n%-45s".formatted(duty));
            adapters.forEach(adapter -> text.append(
                    "%19s".formatted(row.getOrDefault(adapter, Cell.NOTHING).render())));
        });
        return text.toString();
    }

    /** A class that runs a kit. */
    record Run(String adapter, String port) {}

    record Cell(int passed, int failed, int skipped) {

        static final Cell NOTHING = new Cell(0, 0, 0);
        static final Cell PASSED = new Cell(1, 0, 0);
        static final Cell FAILED = new Cell(0, 1, 0);
        static final Cell SKIPPED = new Cell(0, 0, 1);

        /** An assumption aborts the tests of a capability that the adapter lacks, so ABORTED counts as skipped. */
        static Cell of(TestExecutionResult.Status status) {
            return switch (status) {
                case SUCCESSFUL -> PASSED;
                case ABORTED -> SKIPPED;
                case FAILED -> FAILED;
            };
        }

        Cell plus(Cell other) {
            return new Cell(passed + other.passed, failed + other.failed, skipped + other.skipped);
        }

        String render() {
            String text = Integer.toString(passed);
            text += failed == 0 ? "" : ", " + failed + " FAILED";
            text += skipped == 0 ? "" : ", " + skipped + " skipped";
            return equals(NOTHING) ? "-" : text;
        }
    }
}
