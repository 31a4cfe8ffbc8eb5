package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Letters of events that have lost, or lose, the transaction in which they are handled. */
class LostTransactionReplayTests extends LostTransactionScenario {

    @Test
    void retriesOfTheLetterDoNotRollBackOthers() {
        appendInput("b", "2");
        losing.put("2", ALWAYS);
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
        losing.put("2", ALWAYS);
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

    /** The letters of a sequence are handled in one transaction, so a loss rolls back those before it too. */
    @Test
    void replayHandlesAllLettersOfALostTransactionAgain() {
        appendInput("b", "2", "3", "4");
        failing.add("2");
        EventProcessor processor = copier(rowWriting());
        runFor(Duration.ofSeconds(10), processor);
        assertThat(parkedTexts("b")).containsExactly("2", "3", "4");
        failing.clear();
        called.clear();
        losing.put("3", 1);

        var drained = processor.deadLetterProcessor("copies").processAny();
        runFor(Duration.ofSeconds(10), processor);

        assertThat(drained).isCompletedWithValue(true);
        assertThat(called).containsExactly("2", "3", "2", "3", "4");
        assertThat(rows).containsExactly("2", "3", "4");
        assertThat(output()).containsExactly("2", "3", "4");
        assertThat(parked()).isEmpty();
    }
}
