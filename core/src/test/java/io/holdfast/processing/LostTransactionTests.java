package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.wire.StartAt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An event that keeps losing the transaction in which it is handled is parked. A database that is down parks nothing. */
class LostTransactionTests extends LostTransactionScenario {

    private final List<String> idleInTransaction = new ArrayList<>();
    private final List<String> idleWithoutTransaction = new ArrayList<>();

    @Test
    void parksOnlyTheEventAtFault() {
        appendInput("a", "1");
        appendInput("b", "2", "3");
        appendInput("c", "4");
        losing.put("2", ALWAYS);
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

    /** Otherwise, if all events lose their transactions, none is parked until the last one has lost three. */
    @Test
    void parksEventBeforeOthersAreHandled() {
        List<List<String>> parkedBefore = new ArrayList<>();
        Component watching = Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, (event, context) -> {
                    if (event.text().equals("2")) {
                        parkedBefore.add(parkedTexts("a"));
                    }
                    writeRow(event, context);
                })
                .build();
        appendInput("a", "1");
        appendInput("b", "2");
        losing.put("1", ALWAYS);
        losing.put("2", ALWAYS);

        runFor(Duration.ofSeconds(60), copier(watching));

        assertThat(parkedBefore).isNotEmpty().allSatisfy(texts -> assertThat(texts)
                .containsExactly("1"));
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
        losing.put("2", ALWAYS);
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
    void twoLossesParkNothing() {
        EventProcessor processor = copier(rowWriting());
        for (int round = 0; round < 5; round++) {
            appendInput("a", "" + round);
            losing.put("" + round, 2);
            runWithoutParking(10, processor);
        }

        assertCommitted("0", "1", "2", "3", "4");
        assertThat(called).hasSize(15);
    }

    /** A reset handles the same event again. */
    @Test
    void lossesBeforeASuccessDoNotCount() {
        Component resettable = Component.named("copies")
                .rowsIn(store.transactions())
                .on(TextAdded.class, (event, context) -> {
                    addRow(event);
                    loseIfScripted(event);
                })
                .resettable()
                .build();
        appendInput("a", "1");
        losing.put("1", 2);
        EventProcessor processor = copier(resettable);
        runWithoutParking(10, processor);
        assertThat(rows).containsExactly("1");
        losing.put("1", 2);

        CompletableFuture<Integer> reset = processor.reset(StartAt.BEGINNING);
        runWithoutParking(30, processor);

        assertThat(reset).isCompleted();
        assertThat(rows).containsExactly("1", "1");
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
        losing.put("1", ALWAYS);
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

        runFor(Duration.ofSeconds(10), copier(rowWriting(), idle()));

        assertCommitted("1", "2");
        assertThat(idleInTransaction).containsExactly("1");
        assertThat(idleWithoutTransaction)
                .as("handled again without rows, so without a transaction")
                .containsExactly("2");
        assertThat(parked()).isEmpty();
    }

    /** No later handler notices that the transaction was lost. */
    @Test
    void lastHandlerWithoutRowsIsNotAtFault() {
        appendInput("a", "1");

        runFor(Duration.ofSeconds(10), copier(rowWriting(), idle()));

        assertCommitted("1");
        assertThat(called).containsExactly("1", "1");
        assertThat(idleInTransaction).containsExactly("1");
        assertThat(idleWithoutTransaction).isEmpty();
        assertThat(parked()).isEmpty();
    }

    /** Returns a component without rows, during which the database ends a transaction that is idle. */
    private Component idle() {
        return Component.named("idle")
                .on(TextAdded.class, (event, context) -> {
                    try {
                        store.transactions().loseCurrent();
                    } catch (RetryableException e) {
                        idleInTransaction.add(event.text());
                    } catch (PermanentException e) {
                        idleWithoutTransaction.add(event.text());
                    }
                })
                .build();
    }
}
