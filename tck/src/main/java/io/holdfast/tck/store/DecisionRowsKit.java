package io.holdfast.tck.store;

import static io.holdfast.tck.harness.Accounts.ACCOUNT;
import static io.holdfast.tck.harness.Accounts.deposit;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.group.AppendInterceptor;
import io.holdfast.commit.group.RowChange;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.tck.harness.Accounts.Deposited;
import io.holdfast.tck.harness.Accounts.Overdrawn;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.CrashPoints;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.RecordingStore;
import io.holdfast.view.Row;
import io.holdfast.view.RowIndex;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Rows inside decisions, listeners of committed rows, and the interceptor of appended events. */
@SuppressWarnings("FutureReturnValueIgnored") // a test ignores the futures that are not its subject
public abstract class DecisionRowsKit extends EngineKit {

    private RecordingStore recording;
    private final List<RowChange<Noted>> changes = new ArrayList<>();

    @BeforeEach
    void startRecordingEngine() {
        recording = new RecordingStore(store().commitStore());
        use(new EngineUnderTest(store(), recording, harness().clock(), 1_000));
        engine().committer().onRows(BOARD, changes::add);
    }

    /** Returns a decision that appends a text to a row, and one event. */
    private static Decision noting(String key, String text) {
        return context -> {
            note(context, key, text);
            context.append(ACCOUNT, key, new Deposited(1));
        };
    }

    private static void note(DecisionContext context, String key, String text) {
        Noted row = context.row(BOARD, key);
        context.put(BOARD, key, new Noted((row == null ? "" : row.text()) + text));
    }

    private Optional<String> found(String key) {
        return new ViewRows(store().viewStore(), codec).find(BOARD, key).map(Noted::text);
    }

    @Nested
    class States {

        @Test
        void areLoadedWithOneQueryIfDeclared() {
            EngineUnderTest other = otherReplica();
            for (int i = 0; i < 5; i++) {
                other.run(depositing("k" + i));
            }
            engine().run(depositing("known")); // from now on it is known how the stream is folded
            List<CompletableFuture<CommandResult>> results = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                results.add(engine().submit(depositing("k" + i)));
            }
            recording.calls().clear();

            engine().commit();

            assertThat(recording.calls()).containsOnlyOnce("readKeys");
            assertThat(results).allSatisfy(result -> assertThat(result.join().events())
                    .extracting(EventMessage::version)
                    .containsExactly(2L));
        }

        private Decision depositing(String key) {
            return new Decision() {
                @Override
                public void decide(DecisionContext context) {
                    context.append(ACCOUNT, key, new Deposited(1));
                }

                @Override
                public Collection<AggregateKey> keys() {
                    return List.of(new AggregateKey(ACCOUNT.stream(), key));
                }
            };
        }
    }

    @Nested
    class Rows {

        @Test
        void areCommittedWithTheEvents() {
            CommandResult result = engine().run(noting("a", "1"));

            assertThat(result.events()).hasSize(1);
            assertThat(found("a")).contains("1");
        }

        @Test
        void areSeenByTheSameDecisionAndByLaterUnits() {
            engine().submit(context -> {
                note(context, "a", "1");
                note(context, "a", "2");
            });
            engine().submit(noting("a", "3"));
            engine().commit();
            engine().run(noting("a", "4"));

            assertThat(found("a")).contains("1234");
        }

        @Test
        void areRemovedByNull() {
            engine().run(noting("a", "1"));

            engine().run(context -> context.put(BOARD, "a", null));

            assertThat(found("a")).isEmpty();
        }

        @Test
        void disappearWithARejectedDecision() {
            CompletableFuture<CommandResult> rejected = engine().submit(context -> {
                note(context, "a", "1");
                throw new Overdrawn();
            });
            CompletableFuture<CommandResult> other = engine().submit(noting("a", "2"));
            engine().commit();

            assertThat(failure(rejected)).isInstanceOf(Overdrawn.class);
            assertThat(other).isCompleted();
            assertThat(found("a")).contains("2");
        }

        @Test
        void areDecidedAgainIfAnotherReplicaChangesThem() {
            EngineUnderTest other = otherReplica();
            engine().submit(noting("a", "1"));
            recording.before("lockHead", () -> other.run(noting("a", "0")));

            engine().commit();

            assertThat(found("a")).contains("01");
        }

        @Test
        void areDecidedAgainIfTheyWereOnlyRead() {
            EngineUnderTest other = otherReplica();
            CompletableFuture<CommandResult> result = engine().submit(context ->
                    context.append(ACCOUNT, context.row(BOARD, "a") == null ? "none" : "some", new Deposited(1)));
            recording.before("lockHead", () -> other.run(noting("a", "0")));

            engine().commit();

            assertThat(result.join().events()).extracting(EventMessage::key).containsExactly("some");
        }

        @Test
        void areLoadedWithOneQueryIfDeclared() {
            for (int i = 0; i < 5; i++) {
                engine().submit(declaring("k" + i));
            }
            recording.calls().clear();

            engine().commit();

            assertThat(recording.calls()).containsOnlyOnce("findRows");
            assertThat(found("k4")).contains("x");
        }

        private Decision declaring(String key) {
            return new Decision() {
                @Override
                public void decide(DecisionContext context) {
                    note(context, key, "x");
                }

                @Override
                public Collection<RowKey> rows() {
                    return List.of(new RowKey(BOARD.name(), key));
                }
            };
        }

        @Test
        void areNotLoadedAgainIfTheViewHasACache() {
            engine().run(cached("a", "1"));
            recording.calls().clear();

            engine().run(cached("a", "2"));

            assertThat(recording.calls()).doesNotContain("findRows");
            assertThat(found("a")).contains("12");
        }

        @Test
        void areLoadedAgainIfTheCacheExcludesThem() {
            View<Noted> open = BOARD.withCache(row -> !row.text().equals("closed"));
            engine().run(context -> context.put(open, "a", new Noted("open")));
            engine().run(context -> context.put(open, "a", new Noted("closed")));
            recording.calls().clear();

            engine().run(context -> assertThat(context.row(open, "a")).isEqualTo(new Noted("closed")));

            assertThat(recording.calls()).contains("findRows");
        }

        @Test
        void areDecidedAgainIfTheCachedOnesWereChangedByAnotherReplica() {
            EngineUnderTest other = otherReplica();
            engine().run(cached("a", "1"));
            other.run(cached("a", "2"));

            engine().run(cached("a", "3"));
            engine().run(cached("a", "4"));

            assertThat(found("a")).contains("1234");
        }

        @Test
        void areDecidedAgainIfTheCachedOnesWereOnlyRead() {
            EngineUnderTest other = otherReplica();
            engine().run(cached("a", "1"));
            other.run(cached("a", "2"));

            CommandResult result = engine().run(context -> context.append(
                    ACCOUNT,
                    Objects.requireNonNull(context.row(BOARD.withCache(), "a")).text(),
                    new Deposited(1)));

            assertThat(result.events()).extracting(EventMessage::key).containsExactly("12");
        }

        @Test
        void areNotCachedIfTheirCommitFails() {
            engine().run(cached("a", "1"));
            recording.before("commit", () -> {
                throw new RetryableException("the store does not respond");
            });
            engine().run(cached("a", "2"));

            engine().run(cached("a", "3"));

            assertThat(found("a")).contains("123");
        }

        @Test
        void areNotCachedOnceTheyAreRemoved() {
            engine().run(cached("a", "1"));
            engine().run(context -> context.put(BOARD.withCache(), "a", null));

            engine().run(cached("a", "2"));

            assertThat(found("a")).contains("2");
        }

        @Test
        void areNotCachedOnceTheyArePurged() {
            EngineUnderTest other = otherReplica();
            engine().run(cached("a", "1"));
            List<Row> stored = store().viewStore().find(List.of(new RowKey(BOARD.name(), "a")));
            store().viewStore().purge(stored);
            other.run(cached("a", "0"));

            engine().run(cached("a", "2"));

            assertThat(found("a")).contains("02");
        }

        private Decision cached(String key, String text) {
            return context -> {
                Noted row = context.row(BOARD.withCache(), key);
                context.put(BOARD.withCache(), key, new Noted((row == null ? "" : row.text()) + text));
                context.append(ACCOUNT, key, new Deposited(1));
            };
        }

        @Test
        void haveTheirPlaceInTheIndex() {
            Instant time = Instant.parse("2026-01-01T10:00:00Z");
            View<Noted> tasks = new View<>("tasks", Noted.class).indexed(row -> new RowIndex(row.text(), time, time));

            engine().run(context -> context.put(tasks, "a", new Noted("open")));
            engine().run(context -> context.put(tasks, "b", new Noted("closed")));
            engine().run(context -> context.put(tasks, "b", null));

            assertThat(store().viewStore().count("tasks", List.of("open", "closed"), 10))
                    .isEqualTo(1);
            assertThat(store().viewStore().findDue("tasks", time, 10)).hasSize(1);
        }

        @Test
        void areAtomicWithTheEventsAtEveryCrashPoint() {
            for (CrashPoints.Moment moment : CrashPoints.Moment.of(
                    CommitPoint.LOCK_HEAD, CommitPoint.WRITE_EVENTS, CommitPoint.WRITE_ROWS, CommitPoint.COMMIT)) {
                String key = moment.toString();

                Crash.at(moment, harness(), () -> newEngine().run(noting(key, "1")));

                assertThat(found(key).isPresent()).as(key).isEqualTo(newEngine().balance(key) == 1);
            }
        }
    }

    @Nested
    class Listeners {

        @Test
        void receiveEachChangeOfAUnitOnce() {
            engine().run(context -> {
                note(context, "a", "1");
                note(context, "a", "2");
            });
            engine().submit(noting("a", "3"));
            engine().submit(noting("a", "4"));
            engine().commit();
            engine().run(context -> context.put(BOARD, "a", null));

            assertThat(changes)
                    .containsExactly(
                            change(null, "12"), change("12", "123"), change("123", "1234"), change("1234", null));
        }

        @Test
        void receiveNothingOfWhatIsNotCommitted() {
            engine().submit(context -> {
                note(context, "a", "1");
                throw new Overdrawn();
            });
            engine().submit(context -> context.put(BOARD, "a", null));
            engine().commit();
            engine().run(deposit("a", 1));

            assertThat(changes).isEmpty();
        }

        @Test
        void receiveWhatIsDecidedInTheEnd() {
            EngineUnderTest other = otherReplica();
            engine().submit(noting("a", "1"));
            recording.before("lockHead", () -> other.run(noting("a", "0")));

            engine().commit();

            assertThat(changes).containsExactly(change("0", "01"));
        }

        @Test
        void receiveOneChangeIfTheFirstAttemptFails() {
            FailingStore failing = new FailingStore(store().commitStore());
            use(new EngineUnderTest(store(), failing, harness().clock(), 10));
            engine().committer().onRows(BOARD, changes::add);
            failing.failCommits(1);

            engine().run(noting("a", "1"));

            assertThat(changes).containsExactly(change(null, "1"));
        }

        @Test
        void areNotifiedBeforeTheCaller() {
            CompletableFuture<CommandResult> result = engine().submit(noting("a", "1"));
            List<Boolean> completed = new ArrayList<>();
            engine().committer().onRows(BOARD, change -> completed.add(result.isDone()));

            engine().commit();

            assertThat(completed).containsExactly(false);
        }

        @Test
        void cannotFailTheCommit() {
            engine().committer().onRows(BOARD, change -> {
                throw new IllegalStateException("a broken listener");
            });
            engine().committer().onRows(BOARD, changes::add);

            assertThat(engine().run(noting("a", "1")).events()).hasSize(1);

            assertThat(changes).hasSize(2);
        }

        private RowChange<Noted> change(@Nullable String before, @Nullable String after) {
            return new RowChange<>(
                    "a", before == null ? null : new Noted(before), after == null ? null : new Noted(after));
        }
    }

    @Nested
    class Interceptors {

        private final List<Metadata> asked = new ArrayList<>();

        @BeforeEach
        void intercept() {
            engine().committer().intercept(new AppendInterceptor() {
                @Override
                public Collection<RowKey> rows(Metadata context) {
                    asked.add(context);
                    return context.sagaId().map(saga -> new RowKey(BOARD.name(), saga)).stream()
                            .toList();
                }

                @Override
                public Metadata complete(String eventType, Metadata metadata) {
                    return metadata.with("completed", eventType);
                }

                @Override
                public void appended(EventDraft event, DecisionContext decision) {
                    event.metadata().sagaId().ifPresent(saga -> {
                        if (event.key().key().equals("refused")) {
                            throw new Overdrawn();
                        }
                        note(decision, saga, "+" + event.version());
                    });
                }
            });
        }

        private Decision inSaga(String saga, String key) {
            return context -> context.append(
                    ACCOUNT, key, new Deposited(1), Metadata.none().withSaga("Test", saga));
        }

        @Test
        void completeMetadataAndPutRows() {
            CommandResult result = engine().run(inSaga("s1", "a"));
            engine().run(inSaga("s1", "a"));

            assertThat(result.events().get(0).metadata().find("completed")).contains("Deposited");
            assertThat(found("s1")).contains("+1+2");
            assertThat(changes).hasSize(2);
        }

        @Test
        void canReject() {
            CompletableFuture<CommandResult> refused = engine().submit(inSaga("s1", "refused"));
            engine().commit();

            assertThat(failure(refused)).isInstanceOf(Overdrawn.class);
            assertThat(engine().balance("refused")).isZero();
            assertThat(found("s1")).isEmpty();
        }

        @Test
        void seeRepeatedCommandsOnce() {
            engine().submit("key", inSaga("s1", "a"));
            engine().submit("key", inSaga("s1", "a"));
            engine().commit();
            engine().submit("key", inSaga("s1", "a"));
            engine().commit();

            assertThat(found("s1")).contains("+1");
            assertThat(asked).isNotEmpty();
        }
    }
}
