package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransaction;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.memory.InMemoryTransactions;
import io.holdfast.processing.settings.ProcessorStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An event that keeps losing the transaction in which it is handled is parked. A database that is down parks nothing. */
class LostTransactionTests extends ProcessorScenario {

    private final List<String> rows = new ArrayList<>();
    private final List<String> called = new ArrayList<>();
    /** The texts whose handlers lose the transaction. */
    private final Set<String> losing = new HashSet<>();
    /** The texts whose commits lose it. */
    private final Set<String> losingAtCommit = new HashSet<>();

    private boolean isDown;
    private boolean goesDown;
    private int inTransaction;
    private int maxInTransaction = Integer.MAX_VALUE;

    private Component rowWriting() {
        return Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, this::writeRow)
                .build();
    }

    private void writeRow(TextAdded event, EventContext context) {
        called.add(event.text());
        InMemoryTransactions transactions = context.resource(InMemoryTransactions.class);
        transactions.atCommit(() -> rows.add(event.text()));
        if (losingAtCommit.contains(event.text())) {
            failingBefore.put(CommitPoint.COMMIT, new OutcomeUnknownException("the connection was lost", null));
        }
        copy(event, context);
        if (losing.contains(event.text()) || ++inTransaction > maxInTransaction) {
            isDown = goesDown;
            transactions.loseCurrent();
        }
    }

    /** Returns a processor whose database can be down. */
    private EventProcessor copier(Component... components) {
        UnitTransactions transactions = new UnitTransactions() {
            @Override
            public boolean isBackedBy(Object resource) {
                return store.unitTransactions().isBackedBy(resource);
            }

            @Override
            public OptionalInt capacity() {
                return OptionalInt.empty();
            }

            @Override
            public UnitTransaction begin() {
                if (isDown) {
                    throw new RetryableException("the database is down");
                }
                inTransaction = 0;
                failingBefore.clear();
                return store.unitTransactions().begin();
            }
        };
        ProcessorStores stores =
                new ProcessorStores(store.tokenStore(), store.deadLetterStore(), transactions, committer);
        EventProcessorBuilder builder = builder("copier", "one", stores);
        List.of(components).forEach(builder::calls);
        return builder.build();
    }

    private void assertCommitted(String... texts) {
        assertThat(rows).as("rows").containsExactlyInAnyOrder(texts);
        assertThat(output()).as("effects").containsExactlyInAnyOrder(texts);
    }

    @Test
    void parksOnlyTheEventAtFault() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        losing.add("2");
        EventProcessor processor = copier(rowWriting());

        runFor(Duration.ofSeconds(10), processor);

        assertCommitted("1", "4");
        assertThat(parkedTexts("b")).containsExactly("2", "3");
        assertThat(parked()).singleElement().satisfies(sequence -> assertThat(sequence.state())
                .isEqualTo(SequenceState.PENDING));
        DeadLetter letter = letters("b").get(0);
        assertThat(letter.attempts()).hasSize(3);
        assertThat(Objects.requireNonNull(letter.cause()).message())
                .isEqualTo("its handler lost the database transaction 3 times in a row or more, each time alone in it,"
                        + " while other transactions worked");
        assertThat(letter.cause().chain()).anyMatch(line -> line.contains("the transaction was lost"));
        assertThat(processor.status().problems()).isEmpty();
    }

    @Test
    void parksEventBeforeOthersAreHandled() {
        appendInput("a", "1");
        appendInput("b", "2");
        losing.add("1");
        losing.add("2");

        runFor(Duration.ofSeconds(60), copier(rowWriting()));

        assertCommitted();
        assertThat(parked())
                .extracting(ParkedSequence::state)
                .containsOnly(SequenceState.PENDING)
                .hasSize(2);
    }

    @Test
    void handlesEventsAgainThatLostTheirTransactionOnce() {
        appendInput("a", "1");
        appendInput("b", "2");
        losing.add("2");
        EventProcessor processor = copier(rowWriting());
        processor.step();
        losing.clear();

        runFor(Duration.ofSeconds(2), processor);

        assertCommitted("1", "2");
        assertThat(called).containsExactly("1", "2", "1", "2");
        assertThat(parked()).isEmpty();
        assertThat(processor.status().problems()).isEmpty();
    }

    @Test
    void lossesThatAreNotConsecutiveParkNothing() {
        EventProcessor processor = copier(rowWriting());
        for (int round = 0; round < 10; round++) {
            String text = "" + round;
            appendInput("a", text);
            losing.add(text);
            runFor(Duration.ofSeconds(1), processor);
            losing.clear();
            runFor(Duration.ofSeconds(3), processor);
        }

        assertThat(rows).hasSize(10);
        assertThat(parked()).isEmpty();
    }

    /** As if the database or a proxy ended long transactions. */
    @Test
    void handlesEventsAloneThatLoseTheirTransactionTogether() {
        for (int number = 0; number < 20; number++) {
            appendInput("key-" + number, "" + number);
        }
        maxInTransaction = 5;

        runFor(Duration.ofSeconds(5), copier(rowWriting()));

        assertThat(rows).hasSize(20).doesNotHaveDuplicates();
        assertThat(parked()).isEmpty();
    }

    @Test
    void databaseThatIsDownParksNothing() {
        appendInput("a", "1");
        appendInput("b", "2");
        losing.add("1");
        goesDown = true;
        EventProcessor processor = copier(rowWriting());
        for (int round = 0; round < 10; round++) {
            runFor(Duration.ofSeconds(40), processor);
            assertThat(isDown).isTrue();
            isDown = false;
        }
        assertThat(called)
                .as("handled whenever the database is up")
                .contains("1")
                .hasSizeGreaterThan(9);
        assertThat(parked()).isEmpty();
        losing.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertCommitted("1", "2");
        assertThat(parked()).isEmpty();
    }

    @Test
    void parksEventWhoseCommitIsLost() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        losingAtCommit.add("2");

        runFor(Duration.ofSeconds(30), copier(rowWriting()));

        assertCommitted("1", "4");
        assertThat(parkedTexts("b")).containsExactly("2", "3");
        assertThat(letters("b").get(0).attempts()).hasSize(3);
    }

    /** The third commit is durable, and only its response is lost. */
    @Test
    void parksNoEventThatWasCommitted() {
        appendInput("a", "1");
        losingAtCommit.add("1");
        EventProcessor processor = copier(rowWriting());
        processor.step();
        clock.advance(Duration.ofSeconds(1));
        processor.step();
        processor.step();
        losingAtCommit.clear();
        failingAfter.put(CommitPoint.COMMIT, new OutcomeUnknownException("response lost", null));
        clock.advance(Duration.ofSeconds(2));
        processor.step();
        processor.step();
        failingAfter.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertCommitted("1");
        assertThat(parked()).isEmpty();
    }

    /** Other components of the processor run in the transaction too, although they do not use it. */
    @Test
    void handlerWithoutRowsIsNotAtFault() {
        appendInput("a", "1");
        appendInput("b", "2");
        List<String> seen = new ArrayList<>();
        Component idle = Component.named("idle")
                .on(TextAdded.class, (event, context) -> {
                    seen.add(event.text());
                    try {
                        store.transactions().loseCurrent();
                    } catch (RuntimeException e) {
                        // the database ends the idle transaction, or there is none
                    }
                })
                .build();

        runFor(Duration.ofSeconds(10), copier(rowWriting(), idle));

        assertCommitted("1", "2");
        assertThat(seen).containsExactlyInAnyOrder("1", "2");
        assertThat(parked()).isEmpty();
    }

    @Test
    void retriesOfTheLetterDoNotRollBackOthers() {
        appendInput("b", "2");
        losing.add("2");
        EventProcessor processor = copier(rowWriting());
        while (parked().isEmpty()) {
            runFor(Duration.ofSeconds(1), processor);
        }
        called.clear();
        for (int number = 10; number < 15; number++) {
            appendInput("a", "" + number);
        }

        runFor(Duration.ofSeconds(10), processor);

        assertCommitted("10", "11", "12", "13", "14");
        assertThat(called).containsOnlyOnce("10", "11", "12", "13", "14");
        assertThat(letters("b").get(0).attempts()).hasSize(3);
    }

    @Test
    void replayReportsThatTheEventFailedAgain() {
        appendInput("b", "2", "3");
        losing.add("2");
        EventProcessor processor = copier(rowWriting());
        runFor(Duration.ofSeconds(10), processor);

        var failed = processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofSeconds(5), processor);
        assertThat(failed).isCompletedWithValue(false);
        assertThat(letters("b").get(0).attempts()).hasSize(4);
        losing.clear();
        var drained = processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofSeconds(5), processor);

        assertThat(drained).isCompletedWithValue(true);
        assertCommitted("2", "3");
        assertThat(parked()).isEmpty();
    }
}
