package io.holdfast.tck;

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

/** The numbered lines of the contract of dead letters, and the cases of the kits that are of them ({@link Lines}). */
final class DeadLetterLines {

    private static final int FIRST_OF_PARKING = 1;
    private static final int FIRST_OF_PROCESSING = 13;
    private static final int FIRST_OF_CACHE = 37;

    /** What each line is about, by its number. Those that are missing are the operators', and no port's. */
    static final Map<Integer, String> TITLES = numbered(Map.of(
            FIRST_OF_PARKING,
            List.of(
                    "enqueue starts a sequence or appends to it",
                    "enqueueIfPresent appends only to what is parked",
                    "an event is kept once per queue",
                    "limits: nothing is dropped, nothing is skipped",
                    "letters and position commit together",
                    "what cannot be decoded is parked as it is",
                    "if parking fails, the batch is tried again",
                    "a failing sequencing policy parks under the event's own id",
                    "counts are exact, queues see only themselves",
                    "a sequence lists in order, each letter once",
                    "all sequences list once, the oldest head first"),
            FIRST_OF_PROCESSING,
            List.of(
                    "the sequence that is due longest has its turn",
                    "letters run in order, no head is left without a cause",
                    "true exactly when the sequence was drained",
                    "one worker at a time for a sequence",
                    "a follow-up is handled or parked, never both",
                    "long sequences drain in chunks",
                    "handlers may take the letter",
                    "breakers and metrics apply to a replay",
                    "what retries by itself, and what waits for a person",
                    "the policy is asked at each failure",
                    "doNotEnqueue skips the event",
                    "requeue keeps the letter at the head",
                    "ignore leaves the letter as it was",
                    "evict removes it for good",
                    "a policy that throws parks with both causes"),
            FIRST_OF_CACHE,
            List.of(
                    "a healthy event costs no query",
                    "no event overtakes a parked one",
                    "a reset clears what will be handled again",
                    "the cost does not grow with what is parked")));

    private DeadLetterLines() {}

    private static Map<Integer, String> numbered(Map<Integer, List<String>> titles) {
        Map<Integer, String> all = new TreeMap<>();
        titles.forEach(
                (first, those) -> IntStream.range(0, those.size()).forEach(i -> all.put(first + i, those.get(i))));
        return Collections.unmodifiableMap(all);
    }

    /** The lines that a test is a case of: by itself, or by the classes that it stands in. */
    static Set<Integer> of(Method test, Class<?> in) {
        Set<Integer> lines = new TreeSet<>(of(test));
        for (Class<?> type = in; type != null; type = type.getEnclosingClass()) {
            lines.addAll(of(type));
        }
        return lines;
    }

    private static List<Integer> of(AnnotatedElement annotated) {
        Lines lines = annotated.getAnnotation(Lines.class);
        return lines == null ? List.of() : IntStream.of(lines.value()).boxed().toList();
    }

    /** How many cases the kits have of each line. */
    static Map<Integer, Integer> cases(List<? extends Class<?>> kits) {
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
     * The table of lines and adapters.
     *
     * @param columns by adapter: what to say of each line
     */
    static String table(Map<String, Map<Integer, String>> columns) {
        StringBuilder text = new StringBuilder("| line | what |");
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
