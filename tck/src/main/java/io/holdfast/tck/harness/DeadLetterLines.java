package io.holdfast.tck.harness;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The numbered lines of the dead-letter contract, and the test cases that cover them ({@link Lines}). */
public final class DeadLetterLines {

    private static final int FIRST_OF_PARKING = 1;
    private static final int FIRST_OF_PROCESSING = 13;
    private static final int FIRST_OF_OPERATORS = 30;
    private static final int FIRST_OF_REPAIRS = 34;
    private static final int FIRST_OF_CACHE = 37;

    /** The promise of each line, by number. The missing numbers concern the operators' interfaces, not a port. */
    public static final Map<Integer, String> TITLES = numbered(Map.of(
            FIRST_OF_PARKING,
            List.of(
                    "enqueue starts a sequence or appends to it",
                    "enqueueIfPresent appends only to a parked sequence",
                    "an event is parked once per queue",
                    "a full queue neither drops nor skips an event",
                    "letters and position commit together",
                    "an event that cannot be decoded is parked unchanged",
                    "if parking fails, the batch is retried",
                    "if the sequencing policy fails, the event is parked under its own id",
                    "counts are exact and separate for each queue",
                    "a sequence lists its letters in order, each once",
                    "each sequence is listed once, the oldest first letter first",
                    "entries are found by filters, in pages, and counted"),
            FIRST_OF_PROCESSING,
            List.of(
                    "the sequence that has been due longest is replayed first",
                    "letters are replayed in order; a first letter has a cause or is due",
                    "a replay returns true exactly when it has drained the sequence",
                    "only one replay per sequence runs at a time",
                    "a follow-up event is handled or parked, never both",
                    "long sequences are drained in chunks",
                    "a handler may receive the letter",
                    "breakers and metrics apply to a replay",
                    "RETRYING and HELD sequences resume automatically, PENDING ones need an operator",
                    "the policy decides on each failure",
                    "doNotEnqueue skips the event",
                    "requeue keeps the letter first in its sequence",
                    "ignore leaves the letter unchanged",
                    "evict removes the letter permanently",
                    "if the policy throws, the letter records both causes"),
            FIRST_OF_OPERATORS,
            List.of("the owner of the segment runs a replay once, whichever replica received it"),
            FIRST_OF_REPAIRS,
            List.of(
                    "an edit keeps the event's identity, the letter's place and the original",
                    "a discarded letter is restored as the first one, in order unless forced"),
            FIRST_OF_CACHE,
            List.of(
                    "a healthy event needs no query",
                    "no event overtakes a parked one",
                    "a reset clears the letters whose events will be handled again",
                    "the cost does not grow with the number of parked letters")));

    private DeadLetterLines() {}

    private static Map<Integer, String> numbered(Map<Integer, List<String>> titles) {
        Map<Integer, String> all = new TreeMap<>();
        titles.forEach(
                (first, group) -> IntStream.range(0, group.size()).forEach(i -> all.put(first + i, group.get(i))));
        return Collections.unmodifiableMap(all);
    }

    /** Returns the lines that a test covers: its own, and those of its enclosing classes. */
    public static Set<Integer> of(Method test, Class<?> declaring) {
        Set<Integer> lines = new TreeSet<>(of(test));
        for (Class<?> type = declaring; type != null; type = type.getEnclosingClass()) {
            lines.addAll(of(type));
        }
        return lines;
    }

    private static List<Integer> of(AnnotatedElement annotated) {
        Lines lines = annotated.getAnnotation(Lines.class);
        return lines == null ? List.of() : IntStream.of(lines.value()).boxed().toList();
    }

    /** Returns the number of test cases per line. */
    public static Map<Integer, Integer> cases(List<? extends Class<?>> kits) {
        Map<Integer, Integer> cases = new TreeMap<>();
        kits.stream()
                .flatMap(kit -> Stream.concat(
                        Stream.of(kit),
                        Stream.of(kit.getDeclaredClasses()).filter(type -> type.isAnnotationPresent(Nested.class))))
                .forEach(type -> Stream.of(type.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(Test.class))
                        .flatMap(method -> of(method, type).stream())
                        .forEach(line -> cases.merge(line, 1, Integer::sum)));
        return cases;
    }

    /**
     * Returns the table of lines and adapters.
     *
     * @param columns for each adapter, the cell of each line
     */
    public static String table(Map<String, Map<Integer, String>> columns) {
        StringBuilder text = new StringBuilder("| line | promise |");
        columns.keySet().forEach(adapter -> text.append(' ').append(adapter).append(" |"));
        text.append("\n|---|---|").append("---|".repeat(columns.size())).append('\n');
        TITLES.forEach((line, title) -> {
            text.append("| ").append(line).append(" | ").append(title).append(" |");
            columns.values().forEach(column -> text.append(' ')
                    .append(column.getOrDefault(line, "–"))
                    .append(" |"));
            text.append('\n');
        });
        return text.toString();
    }
}
