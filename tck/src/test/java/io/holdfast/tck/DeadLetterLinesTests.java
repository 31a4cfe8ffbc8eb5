package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.harness.DeadLetterLines;
import io.holdfast.tck.harness.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DeadLetterLinesTests {

    /** The adapters that pass all cases. Their guards prove that they run every kit. */
    private static final List<String> PASSING = List.of("in memory", "H2", "PostgreSQL", "JPA");

    @Test
    void documentationListsNumberOfCases() throws IOException {
        Map<Integer, String> cases = new TreeMap<>();
        DeadLetterLines.cases(Kits.ALL).forEach((line, count) -> cases.put(line, Integer.toString(count)));
        Map<String, Map<Integer, String>> columns = new LinkedHashMap<>();
        PASSING.forEach(adapter -> columns.put(adapter, cases));

        assertThat(Files.readString(Path.of("../docs/reference/dead-letter-lines.md")))
                .contains(DeadLetterLines.table(columns));
    }

    @Test
    void everyCaseBelongsToKnownLine() {
        assertThat(DeadLetterLines.TITLES)
                .containsEntry(11, "each sequence is listed once, the oldest first letter first");
        assertThat(DeadLetterLines.TITLES.keySet())
                .containsAll(DeadLetterLines.cases(Kits.ALL).keySet())
                .doesNotContain(28, 36);
    }

    @Test
    void everyLineHasCases() {
        assertThat(DeadLetterLines.cases(Kits.ALL)).containsOnlyKeys(DeadLetterLines.TITLES.keySet());
    }

    @Test
    void caseInheritsLinesOfItsClasses() throws NoSuchMethodException {
        assertThat(DeadLetterLines.of(LinedKit.Inner.class.getDeclaredMethod("own"), LinedKit.Inner.class))
                .containsExactly(1, 2, 3);
        assertThat(DeadLetterLines.cases(List.of(LinedKit.class))).isEqualTo(Map.of(1, 3, 2, 2, 3, 1));
    }

    @Test
    void tableHasRowForEachLine() {
        String table = DeadLetterLines.table(Map.of("here", Map.of(2, "7")));

        assertThat(table)
                .startsWith("| line | promise | here |\n|---|---|---|\n| 1 | ")
                .contains("| 2 | enqueueIfPresent appends only to a parked sequence | 7 |\n")
                .contains("| 40 | the cost does not grow with the number of parked letters | – |\n");
        assertThat(table.lines()).hasSize(2 + 12 + 15 + 1 + 2 + 4);
    }

    @Lines(1)
    abstract static class LinedKit {

        @Test
        void plain() {}

        @Nested
        @Lines(2)
        class Inner {

            @Test
            @Lines(3)
            void own() {}

            @Test
            void others() {}
        }
    }
}
