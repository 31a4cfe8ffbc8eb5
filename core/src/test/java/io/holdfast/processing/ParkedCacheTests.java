package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.NonRetryableException;
import io.holdfast.RetryableException;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.Decisions;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.segment.ProcessorStores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Parked sequences are found even if not all of them are cached. */
class ParkedCacheTests extends ProcessorScenario {

    private final Set<String> broken = new HashSet<>();
    private final List<String> attempted = new ArrayList<>();
    private final List<DeadLetterChange.Kind> changeKinds = new ArrayList<>();
    private final FailingLetterStore letters = new FailingLetterStore(store.deadLetterStore());

    private EventProcessor cached(int size) {
        return cached(new QueueConfiguration().cacheSize(size));
    }

    private EventProcessor cached(QueueConfiguration queue) {
        Component fragile = Component.named("copies")
                .on(TextAdded.class, (event, context) -> {
                    attempted.add(event.text());
                    if (broken.contains(event.text())) {
                        throw new Broken(event.text());
                    }
                    copy(event, context);
                })
                .build();
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), letters.store(), store.actionStore(), store.unitTransactions(), committer);
        return builder("copier", UUID.randomUUID().toString(), stores)
                .deadLetters(queue)
                .deadLetterListener(change -> changeKinds.add(change.kind()))
                .calls(fragile)
                .build();
    }

    private static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }

    @Test
    void countsSequencesParkedByOneUnitBeyondTheCacheSize() {
        EventProcessor processor = cached(1);
        broken.addAll(Set.of("a1", "b1", "c1", "d1"));
        for (String key : List.of("a", "b", "c", "d")) {
            appendInput(key, key + "1");
        }
        run(processor);

        assertThat(processor.status().segments()).singleElement().satisfies(segment -> assertThat(segment.parked())
                .isEqualTo(Map.of(SequenceState.PENDING, 4)));
    }

    @Test
    void handlesNothingAheadOfParkedLetters() {
        EventProcessor processor = cached(0);
        broken.addAll(Set.of("a1", "b1"));
        appendInput("a", "a1");
        appendInput("b", "b1");
        run(processor);
        clock.advance(Duration.ofSeconds(1));
        broken.remove("a1");
        var drained = processor
                .deadLetterProcessor("copies")
                .process(letter -> letter.message().key().equals("a"));
        run(processor);
        assertThat(drained).isCompletedWithValue(true);
        attempted.clear();

        appendInput("b", "b2");
        run(processor);

        assertThat(attempted).isEmpty();
        assertThat(parkedTexts("b")).containsExactly("b1", "b2");
    }

    @Test
    void handlesNothingAheadOfParkedLettersAfterFailedQuery() {
        EventProcessor processor = cached(0);
        broken.add("a1");
        appendInput("a", "a1");
        run(processor);
        attempted.clear();
        letters.calls.clear();
        letters.failing.put("findSequences", new RetryableException("the store is gone"));
        appendInput("a", "a2");
        run(processor);
        assertThat(letters.calls).as("the store was queried").contains("findSequences");
        letters.failing.clear();

        runFor(Duration.ofSeconds(40), processor);

        assertThat(attempted).isEmpty();
        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
    }

    @Test
    void notifiesListenersOfCommitEvenIfStoreCannotBeRead() {
        EnqueuePolicy parksOnlyA = (letter, cause) ->
                letter.message().key().equals("a") ? Decisions.enqueue(cause) : Decisions.doNotEnqueue();
        EventProcessor processor = cached(new QueueConfiguration().cacheSize(0).enqueuePolicy(parksOnlyA));
        run(processor);
        letters.failing.put("findSequences", new RetryableException("the store is gone"));
        broken.addAll(Set.of("a1", "b1"));
        appendInput("a", "a1");
        appendInput("b", "b1");

        run(processor);

        assertThat(changeKinds)
                .containsExactly(
                        DeadLetterChange.Kind.PARKED, DeadLetterChange.Kind.PENDING, DeadLetterChange.Kind.SKIPPED);
        assertThat(processor.status().problems()).isEmpty();
    }
}
