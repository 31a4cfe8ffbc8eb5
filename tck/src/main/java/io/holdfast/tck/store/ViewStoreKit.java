package io.holdfast.tck.store;

import static io.holdfast.tck.harness.StoreWriter.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.RowWrite;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import io.holdfast.view.ViewStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The contract of {@link ViewStore}, and of the row writes that a commit carries. */
public abstract class ViewStoreKit extends StoreKit {

    private static final View<Noted> NOTES = new View<>("notes", Noted.class);

    private ViewStore views() {
        return store().viewStore();
    }

    private Row found(String view, String key) {
        List<Row> rows = views().find(List.of(new RowKey(view, key)));
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private Row row(String view, String key, long version, @Nullable String text) {
        RowWrite write = writer().row(view, key, version, text);
        return new Row(write.key(), write.version(), write.value());
    }

    private void write(String view, String key, long version, @Nullable String text) {
        writer().commit(rows(writer().row(view, key, version, text)));
    }

    private void assertConflict(int unit, List<Rejection> rejections) {
        assertThat(rejections).singleElement().satisfies(rejection -> {
            assertThat(rejection.unit()).isEqualTo(unit);
            assertThat(rejection.kind()).isEqualTo(Rejection.Kind.CONFLICT);
            assertThat(rejection.cause()).hasMessageContaining("notes");
        });
    }

    @Nested
    class Finding {

        @Test
        void returnsUnwrittenRow() {
            assertThat(found("notes", "a")).isEqualTo(Row.neverWritten(new RowKey("notes", "a")));
        }

        @Test
        void returnsCommittedRowCompletely() {
            write("notes", "a", 1, "Grüße, 世界 \"quoted\" \\ \n");

            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 1, "Grüße, 世界 \"quoted\" \\ \n"));
        }

        @Test
        void returnsEachKeyOnceEvenIfRepeated() {
            RowKey a = new RowKey("notes", "a");
            RowKey b = new RowKey("notes", "b");
            write("notes", "a", 1, "first");

            assertThat(views().find(List.of(a, b, a, b)))
                    .containsExactlyInAnyOrder(row("notes", "a", 1, "first"), Row.neverWritten(b));
        }

        @Test
        void returnsNothingForNoKeys() {
            assertThat(views().find(List.of())).isEmpty();
        }

        @Test
        void separatesViews() {
            write("notes", "a", 1, "note");
            write("lists", "a", 1, "list");

            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 1, "note"));
            assertThat(found("lists", "a")).isEqualTo(row("lists", "a", 1, "list"));
            assertThat(found("marks", "a").version()).isZero();
            assertThat(views().find(List.of(new RowKey("notes", "a"), new RowKey("lists", "a"))))
                    .hasSize(2);
        }

        @Test
        void separatesKeysThatDifferInCaseOrSpace() {
            write("notes", "a", 1, "lower");

            assertThat(found("notes", "A").version()).isZero();
            assertThat(found("notes", "a ").version()).isZero();
        }
    }

    @Nested
    class Versions {

        @Test
        void riseWithEveryWrite() {
            write("notes", "a", 1, "first");
            write("notes", "a", 2, "second");

            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 2, "second"));
        }

        @Test
        void riseAcrossRemoval() {
            write("notes", "a", 1, "first");

            write("notes", "a", 2, null);
            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 2, null));

            write("notes", "a", 3, "again");
            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 3, "again"));
        }

        @Test
        void riseWhenUnwrittenRowIsRemoved() {
            write("notes", "a", 1, null);

            assertThat(found("notes", "a").version()).isEqualTo(1);
            write("notes", "a", 2, "first");
        }

        @Test
        void areCheckedAgainstCommittedRow() {
            write("notes", "a", 1, "first");

            assertConflict(0, writer().rejections(rows(writer().row("notes", "a", 1, "again"))));
            assertConflict(0, writer().rejections(rows(writer().row("notes", "a", 3, "too far"))));
            assertConflict(0, writer().rejections(rows(writer().row("notes", "b", 2, "never was"))));

            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 1, "first"));
            assertThat(found("notes", "b").version()).isZero();
        }

        @Test
        void areCheckedAfterRemoval() {
            write("notes", "a", 1, "first");
            write("notes", "a", 2, null);

            assertConflict(0, writer().rejections(rows(writer().row("notes", "a", 1, "as if it never was"))));
        }
    }

    @Nested
    class UnitsInOneCommit {

        @Test
        void followOneAnotherOnOneRow() {
            writer().commit(
                            rows(writer().row("notes", "a", 1, "first"), writer().row("notes", "b", 1, "other")),
                            rows(writer().row("notes", "a", 2, null)),
                            rows(writer().row("notes", "a", 3, "third")));

            assertThat(found("notes", "a")).isEqualTo(row("notes", "a", 3, "third"));
            assertThat(found("notes", "b")).isEqualTo(row("notes", "b", 1, "other"));
        }

        @Test
        void areRejectedByIndexWhenVersionsDoNotFollow() {
            assertConflict(
                    1,
                    writer().rejections(
                                    rows(writer().row("notes", "a", 1, "first")),
                                    rows(writer().row("notes", "a", 1, "also first"))));

            assertThat(found("notes", "a").version()).isZero();
        }
    }

    @Nested
    class Paging {

        @Test
        void returnsRowsInKeyOrder() {
            for (String key : List.of("b", "a", "B", "a ", "10", "9", "ä")) {
                write("notes", key, 1, key);
            }

            assertThat(keys("", 10)).containsExactly("10", "9", "B", "a", "a ", "b", "ä");
        }

        @Test
        void continuesAfterKeyAndStopsAtLimit() {
            for (String key : List.of("a", "b", "c", "d")) {
                write("notes", key, 1, key);
            }

            assertThat(keys("", 2)).containsExactly("a", "b");
            assertThat(keys("b", 2)).containsExactly("c", "d");
            assertThat(keys("bb", 10)).containsExactly("c", "d");
            assertThat(keys("d", 10)).isEmpty();
        }

        @Test
        void omitsRemovedRowsAndFillsPage() {
            for (String key : List.of("a", "b", "c")) {
                write("notes", key, 1, key);
            }
            write("notes", "a", 2, null);

            assertThat(keys("", 2)).containsExactly("b", "c");
        }

        @Test
        void returnsRowsOfOneViewOnly() {
            write("notes", "a", 1, "old");
            write("notes", "a", 2, "note");
            write("lists", "b", 1, "list");

            assertThat(views().page("notes", "", 10)).containsExactly(row("notes", "a", 2, "note"));
            assertThat(views().page("marks", "", 10)).isEmpty();
        }

        @Test
        void visitsAllRowsForAnyKeys() {
            List<String> keys =
                    List.of("a", "z", "\uFB00", "\uD83D\uDE00"); // Java sorts the last two in the opposite order
            keys.forEach(key -> write("notes", key, 1, key));

            List<String> seen = new ArrayList<>();
            String after = "";
            for (int page = 0; page < keys.size(); page++) {
                for (String key : typed().page(NOTES, after, 2).keySet()) {
                    seen.add(key);
                    after = key;
                }
            }

            assertThat(seen).containsExactlyInAnyOrderElementsOf(keys);
        }

        @Test
        void staysWithinPrefix() {
            for (String key : List.of("a", "a/", "a/1", "a/2", "a/3", "a0", "b/1")) {
                write("notes", key, 1, key);
            }

            assertThat(typed().pageWithin(NOTES, "a/", "", 10).keySet()).containsExactly("a/1", "a/2", "a/3");
            assertThat(typed().pageWithin(NOTES, "a/", "a/1", 1)).containsExactly(entry("a/2", new Noted("a/2")));
            assertThat(typed().pageWithin(NOTES, "a/", "a/3", 10)).isEmpty();
            assertThat(typed().pageWithin(NOTES, "c/", "", 10)).isEmpty();
            assertThat(typed().pageWithin(NOTES, "", "a/3", 10).keySet()).containsExactly("a0", "b/1");
        }

        private ViewRows typed() {
            return new ViewRows(views(), codec);
        }

        private List<String> keys(String afterKey, int limit) {
            return views().page("notes", afterKey, limit).stream()
                    .map(row -> row.key().key())
                    .toList();
        }
    }

    @Nested
    class Visibility {

        @Test
        void hidesUncommittedRows() {
            write("notes", "a", 1, "first");

            try (CommitSession session = store().commitStore().open()) {
                session.lockHead();
                assertThat(session.write(List.of(
                                rows(writer().row("notes", "a", 2, "second"), writer().row("notes", "b", 1, "new")))))
                        .isEmpty();

                assertOnlyFirstVersion();
            }

            assertOnlyFirstVersion();
        }

        @Test
        void hidesRowsOfUnitsRejectedTogether() {
            write("notes", "a", 1, "first");

            writer().rejections(
                            rows(writer().row("notes", "b", 1, "good")), rows(writer().row("notes", "a", 1, "bad")));

            assertOnlyFirstVersion();
        }

        private void assertOnlyFirstVersion() {
            assertThat(views().page("notes", "", 10)).containsExactly(row("notes", "a", 1, "first"));
            assertThat(found("notes", "b").version()).isZero();
        }

        @Test
        void showsCommittedRowsToOtherReplicas() {
            ViewStore otherReplica = replica().viewStore();

            write("notes", "a", 1, "first");

            assertThat(otherReplica.find(List.of(new RowKey("notes", "a")))).containsExactly(found("notes", "a"));
            assertThat(otherReplica.page("notes", "", 10)).containsExactly(found("notes", "a"));
        }
    }

    @Nested
    class Crashing {

        @Test
        void leavesNothingBeforeCommit() {
            for (CrashPoints.Moment moment : List.of(
                    new CrashPoints.Moment(CommitPoint.WRITE_ROWS, false),
                    new CrashPoints.Moment(CommitPoint.WRITE_ROWS, true),
                    new CrashPoints.Moment(CommitPoint.COMMIT, false))) {
                Crash.at(moment, harness(), () -> write("notes", "a", 1, "first"));

                assertThat(found("notes", "a").version()).as(moment.toString()).isZero();
                assertThat(views().page("notes", "", 10)).isEmpty();
            }
            write("notes", "a", 1, "first");
            assertThat(found("notes", "a").version()).isEqualTo(1);
        }

        @Test
        void leavesEverythingAfterCommit() {
            Crash.after(CommitPoint.COMMIT, harness(), () -> writer().commit(
                            rows(writer().row("notes", "a", 1, "first"), writer().row("notes", "b", 1, "other")),
                            rows(writer().row("notes", "a", 2, "second"))));

            assertThat(views().page("notes", "", 10))
                    .containsExactly(row("notes", "a", 2, "second"), row("notes", "b", 1, "other"));
            write("notes", "a", 3, "third");
        }
    }
}
