package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.rows;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.RowWrite;
import io.holdfast.commit.UnitWrites;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.view.Row;
import io.holdfast.view.RowCursor;
import io.holdfast.view.RowIndex;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of a view's index in {@link ViewStore}: due rows, tagged rows, counts and purges. */
public abstract class ViewIndexKit extends StoreKit {

    private static final String VIEW = "tasks";
    private static final Instant T = Instant.parse("2026-01-01T10:00:00.123456Z");

    private ViewStore views() {
        return store().viewStore();
    }

    private static Instant at(int second) {
        return T.plusSeconds(second);
    }

    private RowWrite row(String key, long version, RowIndex index) {
        return new RowWrite(new RowKey(VIEW, key), version - 1, version, codec.encode(new Noted(key + version)), index);
    }

    private void write(String key, long version, RowIndex index) {
        writer().commit(rows(row(key, version, index)));
    }

    private static RowIndex due(Instant time) {
        return new RowIndex(null, null, time);
    }

    private static RowIndex tagged(String tag, Instant time) {
        return new RowIndex(tag, time, null);
    }

    private static List<String> keys(List<Row> rows) {
        return rows.stream().map(row -> row.key().key()).toList();
    }

    @Nested
    class DueRows {

        @Test
        void comeLongestDueFirst() {
            write("c", 1, due(at(3)));
            write("b", 1, due(at(1)));
            write("a", 1, due(at(2)));
            write("same-time", 1, due(at(1)));

            assertThat(keys(views().findDue(VIEW, at(2), 10))).containsExactly("b", "same-time", "a");
            assertThat(keys(views().findDue(VIEW, at(2), 2))).containsExactly("b", "same-time");
            assertThat(keys(views().findDue(VIEW, at(2).minusNanos(1_000), 10))).containsExactly("b", "same-time");
            assertThat(views().findDue(VIEW, at(0), 10)).isEmpty();
        }

        @Test
        void areCompleteRows() {
            write("a", 1, due(at(1)));

            assertThat(views().findDue(VIEW, at(1), 10))
                    .containsExactly(new Row(new RowKey(VIEW, "a"), 1, codec.encode(new Noted("a1"))));
        }

        @Test
        void followTheLastWrite() {
            write("moved", 1, due(at(1)));
            write("done", 1, due(at(1)));
            write("removed", 1, due(at(1)));
            write("moved", 2, due(at(5)));
            write("done", 2, RowIndex.NONE);
            writer().commit(rows(new RowWrite(new RowKey(VIEW, "removed"), 1, 2, null)));

            assertThat(keys(views().findDue(VIEW, at(9), 10))).containsExactly("moved");
            assertThat(views().findNextDue(VIEW)).contains(at(5));
        }

        @Test
        void belongToOneView() {
            write("a", 1, due(at(1)));

            assertThat(views().findDue("other", at(9), 10)).isEmpty();
            assertThat(views().findNextDue("other")).isEmpty();
        }

        @Test
        void nameTheNextTimeAlsoIfItHasPassed() {
            assertThat(views().findNextDue(VIEW)).isEmpty();
            write("b", 1, due(at(7)));
            write("a", 1, due(at(3)));

            assertThat(views().findNextDue(VIEW)).contains(at(3));
        }

        @Test
        void keepMicroseconds() {
            write("a", 1, due(at(1).plusNanos(999)));

            assertThat(views().findNextDue(VIEW)).contains(at(1));
        }
    }

    @Nested
    class TaggedRows {

        @Test
        void comeNewestFirst() {
            write("a", 1, tagged("open", at(1)));
            write("c", 1, tagged("open", at(2)));
            write("b", 1, tagged("open", at(2)));
            write("d", 1, tagged("closed", at(3)));

            assertThat(keys(views().findTagged(VIEW, List.of("open"), null, 10)))
                    .containsExactly("c", "b", "a");
            assertThat(keys(views().findTagged(VIEW, List.of("open"), null, 1))).containsExactly("c");
        }

        @Test
        void mergeSeveralTags() {
            write("a", 1, tagged("open", at(1)));
            write("b", 1, tagged("closed", at(2)));
            write("c", 1, tagged("open", at(3)));
            write("d", 1, tagged("other", at(4)));

            assertThat(keys(views().findTagged(VIEW, List.of("open", "closed", "open"), null, 10)))
                    .containsExactly("c", "b", "a");
            assertThat(keys(views().findTagged(VIEW, List.of("open", "closed"), null, 2)))
                    .containsExactly("c", "b");
            assertThat(views().findTagged(VIEW, List.of(), null, 10)).isEmpty();
            assertThat(views().findTagged(VIEW, List.of("unknown"), null, 10)).isEmpty();
            assertThat(views().findTagged("other", List.of("open"), null, 10)).isEmpty();
        }

        @Test
        void arePagedWithoutGapsAndDuplicates() {
            IntStream.range(0, 23).forEach(i -> write("k" + i, 1, tagged(i % 3 == 0 ? "open" : "closed", at(i / 4))));

            List<String> paged = new ArrayList<>();
            RowCursor after = null;
            List<String> page;
            do {
                page = keys(views().findTagged(VIEW, List.of("open", "closed"), after, 5));
                paged.addAll(page);
                if (!page.isEmpty()) {
                    String last = page.get(page.size() - 1);
                    after = new RowCursor(at(Integer.parseInt(last.substring(1)) / 4), last);
                }
            } while (!page.isEmpty());

            assertThat(paged)
                    .doesNotHaveDuplicates()
                    .hasSize(23)
                    .isEqualTo(keys(views().findTagged(VIEW, List.of("open", "closed"), null, 100)));
        }

        @Test
        void followTheLastWrite() {
            write("a", 1, tagged("open", at(1)));
            write("b", 1, tagged("open", at(2)));
            write("a", 2, tagged("closed", at(1)));
            writer().commit(rows(new RowWrite(new RowKey(VIEW, "b"), 1, 2, null)));

            assertThat(views().findTagged(VIEW, List.of("open"), null, 10)).isEmpty();
            assertThat(keys(views().findTagged(VIEW, List.of("closed"), null, 10)))
                    .containsExactly("a");
        }

        @Test
        void followTheLastOfSeveralUnits() {
            writer().commit(
                            rows(row("a", 1, tagged("open", at(1)))),
                            rows(row("a", 2, new RowIndex("closed", at(1), at(9)))));

            assertThat(keys(views().findTagged(VIEW, List.of("open", "closed"), null, 10)))
                    .containsExactly("a");
            assertThat(views().findNextDue(VIEW)).contains(at(9));
        }
    }

    @Nested
    class Tags {

        @Test
        void areThoseOfTheLastWrite() {
            write("a", 1, tagged("open", at(1)));
            write("b", 1, tagged("open", at(1)));
            write("b", 2, tagged("closed", at(1)));

            assertThat(views().findTags(VIEW, List.of("a", "b", "a")))
                    .containsOnly(Map.entry("a", "open"), Map.entry("b", "closed"));
        }

        @Test
        void areFoundForTheWantedRowsOfTheViewOnly() {
            write("a", 1, tagged("open", at(1)));
            write("b", 1, tagged("open", at(1)));

            assertThat(views().findTags(VIEW, List.of("b", "c"))).containsOnlyKeys("b");
            assertThat(views().findTags("other", List.of("a"))).isEmpty();
            assertThat(views().findTags(VIEW, List.of())).isEmpty();
        }

        @Test
        void areMissingWhereRowsHaveNone() {
            write("due", 1, due(at(1)));
            write("removed", 1, tagged("open", at(1)));
            writer().commit(rows(new RowWrite(new RowKey(VIEW, "removed"), 1, 2, null)));

            assertThat(views().findTags(VIEW, List.of("due", "removed"))).isEmpty();
        }
    }

    @Nested
    class Counts {

        @Test
        void includeTheRowsOfAllTags() {
            write("a", 1, tagged("open", at(1)));
            write("b", 1, tagged("closed", at(1)));
            write("c", 1, tagged("open", at(1)));
            write("d", 1, due(at(1)));

            assertThat(count("open")).isEqualTo(2);
            assertThat(count("open", "closed")).isEqualTo(3);
            assertThat(count("open", "open")).isEqualTo(2);
            assertThat(count("unknown")).isZero();
            assertThat(count()).isZero();
        }

        @Test
        void stopAtTheLimit() {
            IntStream.range(0, 5).forEach(i -> write("k" + i, 1, tagged("open", at(i))));

            assertThat(views().count(VIEW, List.of("open"), 3)).isEqualTo(3);
            assertThat(views().count(VIEW, List.of("open"), 5)).isEqualTo(5);
            assertThat(views().count(VIEW, List.of("open"), 6)).isEqualTo(5);
        }

        private long count(String... tags) {
            return views().count(VIEW, List.of(tags), 1_000);
        }
    }

    @Nested
    class Purging {

        @Test
        void removesRowsFromEverything() {
            write("a", 1, new RowIndex("open", at(1), at(1)));
            write("b", 1, new RowIndex("open", at(1), at(1)));

            assertThat(views().purge(found("a"))).isEqualTo(1);

            assertThat(keys(views().findDue(VIEW, at(9), 10))).containsExactly("b");
            assertThat(keys(views().findTagged(VIEW, List.of("open"), null, 10)))
                    .containsExactly("b");
            assertThat(views().count(VIEW, List.of("open"), 10)).isEqualTo(1);
            assertThat(found("a")).containsExactly(Row.neverWritten(new RowKey(VIEW, "a")));
        }

        @Test
        void sparesRowsThatHaveChanged() {
            write("a", 1, due(at(1)));
            write("b", 1, due(at(1)));
            List<Row> read = found("a", "b");
            write("a", 2, due(at(2)));

            assertThat(views().purge(read)).isEqualTo(1);

            assertThat(found("a").get(0).version()).isEqualTo(2);
            assertThat(found("b").get(0).version()).isZero();
        }

        @Test
        void ignoresRowsThatAreGone() {
            write("a", 1, due(at(1)));
            List<Row> read = found("a");

            assertThat(views().purge(read)).isEqualTo(1);
            assertThat(views().purge(read)).isZero();
            assertThat(views().purge(List.of())).isZero();
        }

        @Test
        void letsTheRowStartOver() {
            write("a", 1, due(at(1)));
            views().purge(found("a"));

            write("a", 1, due(at(4)));

            assertThat(views().findNextDue(VIEW)).contains(at(4));
        }

        private List<Row> found(String... keys) {
            return Stream.of(keys)
                    .flatMap(key -> views().find(List.of(new RowKey(VIEW, key))).stream())
                    .toList();
        }
    }

    @Nested
    class Visibility {

        @Test
        void hidesRejectedUnits() {
            write("a", 1, new RowIndex("open", at(1), at(1)));
            UnitWrites good = rows(row("b", 1, new RowIndex("open", at(1), at(1))));
            UnitWrites bad = rows(row("a", 1, RowIndex.NONE));

            assertThat(writer().rejections(good, bad)).hasSize(1);

            assertThat(keys(views().findDue(VIEW, at(9), 10))).containsExactly("a");
            assertThat(views().count(VIEW, List.of("open"), 10)).isEqualTo(1);
        }

        @Test
        void showsCommittedRowsToOtherReplicas() {
            ViewStore other = replica().viewStore();

            write("a", 1, new RowIndex("open", at(1), at(1)));

            assertThat(keys(other.findDue(VIEW, at(1), 10))).containsExactly("a");
            assertThat(keys(other.findTagged(VIEW, List.of("open"), null, 10))).containsExactly("a");
        }
    }
}
