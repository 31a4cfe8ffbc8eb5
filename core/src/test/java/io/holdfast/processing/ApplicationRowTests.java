package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.commit.UnitWrites;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.Metadata;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryTransactions;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Application rows, effects and the position become durable together, or not at all. */
class ApplicationRowTests extends ProcessorScenario {

    private final List<String> rows = new ArrayList<>();

    private Component rowWriting() {
        return Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, this::writeRow)
                .build();
    }

    private void writeRow(TextAdded event, EventContext context) {
        context.resource(InMemoryTransactions.class).atCommit(() -> rows.add(event.text()));
        copy(event, context);
    }

    private void assertCommitted(String... texts) {
        assertThat(rows).as("rows").containsExactly(texts);
        assertThat(output()).as("effects").containsExactly(texts);
    }

    @Test
    void commitsRowsEffectsAndPositionTogether() {
        appendInput("a", "1", "2");
        EventProcessor processor = processor("copier", rowWriting());
        processor.step();

        assertCommitted("1", "2");
        processor.step();
        assertThat(position(processor)).isEqualTo(2);
        assertThat(committer.statistics().commits())
                .as("the commit of the input, and one more")
                .isEqualTo(2);
    }

    /** If a write fails, nothing of the unit is durable. Later all of it is, exactly once. */
    @ParameterizedTest
    @EnumSource(
            value = CommitPoint.class,
            names = {"LOCK_HEAD", "WRITE_EVENTS", "WRITE_TOKENS", "COMMIT"})
    void persistsNothingWhenCommitFails(CommitPoint point) {
        appendInput("a", "1", "2");
        failingBefore.put(point, new RetryableException("the store is gone"));
        EventProcessor processor = processor("copier", rowWriting());
        runFor(Duration.ofSeconds(3), processor);
        assertCommitted();
        failingBefore.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertCommitted("1", "2");
        assertThat(parked()).isEmpty();
    }

    @Test
    void doesNotRepeatCommitWhoseOutcomeWasLost() {
        appendInput("a", "1", "2");
        failingAfter.put(CommitPoint.COMMIT, new OutcomeUnknownException("the connection was lost", null));
        EventProcessor processor = processor("copier", rowWriting());
        processor.step();
        failingAfter.clear();

        runFor(Duration.ofSeconds(3), processor);

        assertCommitted("1", "2");
        assertThat(handled).containsExactly("1", "2");
    }

    @Test
    void rollsBackOnlyRowsOfFailedHandler() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        failing.add("2");

        run(processor("copier", rowWriting()));

        assertCommitted("1", "4");
        assertThat(parkedTexts("b")).containsExactly("2", "3");
    }

    @Test
    void parksEventWhoseDecisionThrowsAndCommitsOtherRowsOnce() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        rejected.add("2");

        run(processor("copier", rowWriting()));

        assertCommitted("1", "4");
        assertThat(parkedTexts("b")).containsExactly("2", "3");
        assertThat(handled).as("their rows were rolled back").containsExactly("1", "2", "3", "4", "1", "4");
    }

    @Test
    void replicaThatLostItsLeaseCommitsNoRows() {
        appendInput("a", "1");
        EventProcessor other = processor("copier", rowWriting());
        boolean[] isFirst = {true};
        EventProcessor frozen = processor(
                "copier",
                Component.named("copies")
                        .rowsIn(store.transactions())
                        .on(TextAdded.class, (event, context) -> {
                            writeRow(event, context);
                            if (isFirst[0]) {
                                isFirst[0] = false;
                                clock.advance(Duration.ofSeconds(11));
                                runInNewThread(() -> run(other));
                            }
                        })
                        .build());

        run(frozen);

        assertCommitted("1");
        assertThat(claimed(other)).containsExactly(0);
        assertThat(claimed(frozen)).isEmpty();
    }

    /** Another process has its own thread. */
    private static void runInNewThread(Runnable work) {
        CompletableFuture.runAsync(work, command -> {
                    Thread thread = new Thread(command);
                    thread.start();
                    try {
                        thread.join();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .join();
    }

    /** The coordinator refreshes the segments after a pool thread has committed and before it has reported that. */
    @Test
    void doesNotMistakeOwnCommitForForeignChange() {
        appendInput("a", "1");
        EventProcessor processor = processor("copier", rowWriting());
        processor.step();
        run(processor);
        List<Integer> meanwhile = new ArrayList<>();
        committer.onAppend(streams -> {
            if (streams.contains("output")) {
                clock.advance(Duration.ofSeconds(1));
                processor.step();
                meanwhile.addAll(claimed(processor));
            }
        });
        appendInput("a", "2");

        run(processor);

        assertThat(meanwhile).containsExactly(0);
        assertCommitted("1", "2");
    }

    /** The rows may be outbox entries, so the publisher must be notified. */
    @Test
    void notifiesListenersOfCommitWithoutEvents() {
        appendInput("a", "1");
        List<Set<String>> notified = new ArrayList<>();
        committer.onAppend(notified::add);

        run(processor(
                "copier",
                Component.named("copies")
                        .rowsIn(store.transactions())
                        .on(TextAdded.class, (event, context) -> rows.add(event.text()))
                        .build()));

        assertThat(rows).containsExactly("1");
        assertThat(notified).containsExactly(Set.of());
    }

    @Test
    void rejectsRowsInAnotherResourceAtStartup() {
        Component elsewhere = Component.named("copies")
                .rowsIn("another database")
                .on(TextAdded.class, this::copy)
                .build();

        assertThatThrownBy(() -> processor("copier", elsewhere))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining(
                        "component copies of processor copier writes application rows to another database, which is"
                                + " not the service's store")
                .hasMessageContaining("Use one DataSource for both");
    }

    @Test
    void rejectsRowsWithoutDeclaredResource() {
        appendInput("a", "1");
        EventProcessor processor = processor(
                "copier",
                Component.named("copies").on(TextAdded.class, this::writeRow).build());

        run(processor);

        assertThat(letters("a").get(0).cause())
                .extracting(Cause::message)
                .asString()
                .contains("declare where its rows are with rowsIn(…)");
        assertThat(rows).isEmpty();
    }

    @Test
    void failsEventAndRollsBackRowsIfStageIsIncomplete() {
        appendInput("a", "1");
        appendInput("b", "2");
        CompletableFuture<Void> open = new CompletableFuture<>();
        EventProcessor processor = processor(
                "copier",
                Component.named("copies")
                        .rowsIn(store.transactions())
                        .onAsync(TextAdded.class, (event, context) -> {
                            writeRow(event, context);
                            return event.text().equals("1") ? open : CompletableFuture.completedFuture(null);
                        })
                        .build());

        run(processor);
        open.complete(null);
        run(processor);

        assertCommitted("2");
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(letters("a").get(0).cause())
                .extracting(Cause::message)
                .asString()
                .contains("must be synchronous");
    }

    @Test
    void replaysLettersWithTheirRows() {
        appendInput("a", "1", "2", "3");
        failing.add("1");
        EventProcessor processor = processor("copier", rowWriting());
        run(processor);
        failing.clear();

        runFor(Duration.ofSeconds(2), processor);

        assertCommitted("1", "2", "3");
        assertThat(parked()).isEmpty();
    }

    @Test
    void commitsFirstLetterOnceIfDecisionOfSecondThrows() {
        appendInput("a", "1", "2", "3");
        failing.add("1");
        EventProcessor processor = processor("copier", rowWriting());
        run(processor);
        failing.clear();
        rejected.add("2");

        clock.advance(Duration.ofSeconds(1));
        run(processor);
        assertCommitted("1");
        assertThat(parkedTexts("a")).containsExactly("2", "3");
        rejected.clear();
        runFor(Duration.ofSeconds(3), processor);

        assertCommitted("1", "2", "3");
        assertThat(parked()).isEmpty();
    }

    @Test
    void releasedSegmentCompletesReplayWhoseRowsWereRolledBack() {
        String key = keyOf(1, 2);
        appendInput(key, "1", "2", "3");
        failing.add("1");
        EventProcessor processor = segmented(2, rowWriting());
        run(processor);
        failing.clear();
        rejected.add("2");
        EventProcessor joining = segmented(2, rowWriting());
        joining.step();
        clock.advance(Duration.ofMillis(700));
        processor.step(); // the committer returns the failed part
        rejected.clear();
        clock.advance(Duration.ofSeconds(4));

        processor.step(); // the segment is to be released
        runFor(Duration.ofSeconds(3), processor, joining);

        assertThat(claimed(joining)).containsExactly(1);
        assertCommitted("1", "2", "3");
    }

    @Test
    void otherComponentsRunInTheSameTransaction() {
        appendInput("a", "1", "2");
        CompletableFuture<Void> open = new CompletableFuture<>();
        List<String> seen = new ArrayList<>();
        Component later = Component.named("later")
                .onAsync(TextAdded.class, (event, context) -> {
                    seen.add(event.text());
                    return event.text().equals("1") ? open : CompletableFuture.completedFuture(null);
                })
                .build();
        Component plain = Component.named("plain")
                .on(TextAdded.class, (event, context) -> {
                    if (event.text().equals("1")) {
                        throw new IllegalStateException("it has no rows");
                    }
                })
                .build();

        EventProcessor processor = processor("copier", plain, rowWriting(), later);
        run(processor);

        assertCommitted("1", "2");
        assertThat(seen).as("the second waits for the first").containsExactly("1");
        assertThat(position(processor)).isZero();
        assertThat(parked())
                .singleElement()
                .satisfies(sequence -> assertThat(sequence.id().component()).isEqualTo("test/copier/plain"));
        open.complete(null);
        run(processor);
        assertThat(seen).containsExactly("1", "2");
        assertThat(position(processor)).isEqualTo(2);
        assertCommitted("1", "2");
    }

    @Test
    void parksEventThatStoreRejectsAndCommitsRowsOfOthers() {
        IntStream.range(0, 5).forEach(number -> appendInput("key-" + number, "" + number));
        PoisonedTransactions poisoned = new PoisonedTransactions(store.unitTransactions(), "key-3");
        EventProcessor processor = builder(
                        "copier",
                        "one",
                        new ProcessorStores(
                                store.tokenStore(), store.deadLetterStore(), store.actionStore(), poisoned, committer))
                .calls(rowWriting())
                .build();

        for (int step = 0; step < 30; step++) {
            processor.step();
            committer.commitWaiting();
            assertThat(output()).as("after step " + step).containsExactlyElementsOf(rows);
            clock.advance(Duration.ofMillis(10));
        }

        assertCommitted("0", "1", "2", "4");
        assertThat(parkedTexts("key-3")).containsExactly("3");
    }

    /** A database that rejects appends to one key. */
    private record PoisonedTransactions(UnitTransactions transactions, String poison) implements UnitTransactions {

        @Override
        public boolean isBackedBy(Object resource) {
            return transactions.isBackedBy(resource);
        }

        @Override
        public OptionalInt capacity() {
            return transactions.capacity();
        }

        @Override
        public UnitTransaction begin() {
            UnitTransaction transaction = transactions.begin();
            return new UnitTransaction() {
                @Override
                public <T> T resource(Class<T> type) {
                    return transaction.resource(type);
                }

                @Override
                public void savepoint() {
                    transaction.savepoint();
                }

                @Override
                public void rollbackToSavepoint() {
                    transaction.rollbackToSavepoint();
                }

                @Override
                public CommitSession session() {
                    return new PoisonedSession(transaction.session(), poison);
                }

                @Override
                public void close() {
                    transaction.close();
                }
            };
        }
    }

    private record PoisonedSession(CommitSession session, String poison) implements CommitSession {

        @Override
        public HeadReading lockHead(Witnessed witnessed) {
            return session.lockHead(witnessed);
        }

        @Override
        public List<EventMessage> find(Collection<UUID> ids) {
            return session.find(ids);
        }

        @Override
        public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
            return session.readKeys(keys, limit);
        }

        @Override
        public List<Row> findRows(Collection<RowKey> keys) {
            return session.findRows(keys);
        }

        @Override
        public ReadVersions findChanged(ReadVersions read) {
            return session.findChanged(read);
        }

        @Override
        public List<Rejection> write(List<UnitWrites> units) {
            boolean isPoisoned = units.stream()
                    .flatMap(unit -> unit.events().stream())
                    .anyMatch(event -> event.key().key().equals(poison));
            if (isPoisoned) {
                throw new IllegalArgumentException("a value that the database rejects");
            }
            return session.write(units);
        }

        @Override
        public List<EventMessage> commit() {
            return session.commit();
        }

        @Override
        public void close() {
            session.close();
        }
    }

    @Test
    void startsNoTransactionWhileAnotherUnitIsBeingCommitted() {
        Component rowWriter = Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, this::copy)
                .build();
        EventProcessor processor = processor("copier", rowWriter);
        failing.add("a1");
        appendInput("a", "a1");
        run(processor);
        appendInput("a", "a2");
        processor.step(); // parks it behind, in a unit that waits for the committer
        GroupCommitter other = newCommitter();
        var submitted = other.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"),
                Metadata.none(),
                context -> context.append(INPUT, "b", new TextAdded("b1")))));
        other.commitWaiting();
        submitted.join();

        processor.step();
        assertThat(handled).doesNotContain("b1");
        run(processor);

        assertThat(handled).containsExactly("b1");
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
    }
}
