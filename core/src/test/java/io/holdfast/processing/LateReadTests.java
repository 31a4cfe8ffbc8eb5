package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.processing.segment.ProcessorStores;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A read of letters that returns only after the segment was changed. A failover may lose the change later, so that no
 * commit notices: nothing may depend on what was read.
 */
class LateReadTests extends ProcessorScenario {

    private final FailingLetterStore letters = new FailingLetterStore(store.deadLetterStore());
    private EventProcessor processor = newProcessor();

    private EventProcessor newProcessor() {
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), letters.store(), store.actionStore(), store.unitTransactions(), committer);
        return builder("copier", UUID.randomUUID().toString(), stores)
                .deadLetters(new QueueConfiguration().cacheSize(0))
                .calls(copying())
                .build();
    }

    @BeforeEach
    void parkOne() {
        failing.add("a1");
        appendInput("a", "a1");
        run(processor);
        assertThat(parkedTexts("a")).containsExactly("a1");
        failing.clear();
    }

    /** Raises the version of the token, as the commit of another owner does. */
    private void changeSegment() {
        ParkedSequence parked = parked().get(0);
        Instant now = clock.instant();
        store.deadLetterStore()
                .change(
                        "copier",
                        reads ->
                                new LetterWrites(List.of(), List.of(), List.of(), List.of(parked.due(now)), List.of()));
    }

    @Test
    void callsNoHandlerWithLettersOfAnotherVersion() {
        letters.afterwards.put("findFirstLetters", this::changeSegment);
        clock.advance(Duration.ofMinutes(1));

        processor.step();

        assertThat(letters.afterwards).isEmpty();
        assertThat(handled).isEmpty();
        assertThat(claimed(processor)).isEmpty();
        runFor(Duration.ofSeconds(10), processor);
        assertThat(output()).containsExactly("a1");
    }

    @Test
    void callsNoHandlerBySequencesOfAnotherVersion() {
        makePending();
        appendInput("b", "b1");
        letters.afterwards.put("findSequences", this::changeSegment);

        processor.step();

        assertThat(letters.afterwards).isEmpty();
        assertThat(handled).isEmpty();
        runFor(Duration.ofSeconds(10), processor);
        assertThat(output("b")).containsExactly("b1");
    }

    private void makePending() {
        failing.add("a1");
        runFor(Duration.ofHours(1), processor);
        failing.clear();
        handled.clear();
    }

    @Test
    void opensNoSegmentWithSequencesOfAnotherVersion() {
        processor.release();
        processor = newProcessor();
        letters.afterwards.put("findSequences", this::changeSegment);

        processor.step();

        assertThat(letters.afterwards).isEmpty();
        assertThat(claimed(processor)).isEmpty();
        runFor(Duration.ofMinutes(1), processor);
        assertThat(output()).containsExactly("a1");
    }
}
