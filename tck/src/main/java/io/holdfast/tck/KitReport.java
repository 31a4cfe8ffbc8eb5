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
 * Prints, at the end of a test run, which adapter passed which duty of which kit, and writes which lines of the contract of
 * dead letters those are. JUnit finds it by itself wherever the kits are on the class path.
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
    @SuppressWarnings("SystemOut") // it is for whoever reads the output of the build
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

    /** Which adapter runs which kit there, if it is a kit's run. */
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
        StringBuilder text = new StringBuilder("%nTests passed by adapter and duty:%n%-45s".formatted("kit / duty"));
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

        /** What an adapter lacks by its nature is aborted by an assumption. */
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
            String shown = Integer.toString(passed);
            shown += failed == 0 ? "" : ", " + failed + " FAILED";
            shown += skipped == 0 ? "" : ", " + skipped + " skipped";
            return equals(NOTHING) ? "-" : shown;
        }
    }
}
