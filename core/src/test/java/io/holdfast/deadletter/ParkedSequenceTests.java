package io.holdfast.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.token.Segments;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** State transitions of a parked sequence, and how a queue counts it. */
class ParkedSequenceTests {

    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06Z");
    private static final Instant LATER = NOW.plusSeconds(9);
    private static final SequenceId ID = new SequenceId("billing/invoices", "a");

    private final ParkedSequence first = ParkedSequence.start(ID, "billing", Segments.hash("a"), NOW);

    @Test
    void growsAfterLastLetter() {
        ParkedSequence grown = first.grown().grown();

        assertThat(grown.first()).isEqualTo(first.first());
        assertThat(grown.last()).isEqualTo(first.last() + 2);
        assertThat(grown.size()).isEqualTo(3);
    }

    @Test
    void isDueNowWhenFirstLetterIsRemoved() {
        ParkedSequence shortened =
                first.grown().held("breaker", NOW, LATER).pending(4, NOW).shortened(1, 1, NOW, LATER);

        assertThat(shortened)
                .isEqualTo(first.grown().pending(0, NOW).with(1, 1, 1, NOW).retrying(0, LATER));
    }

    @Test
    void staysEscalatedOnceItWasPending() {
        assertThat(first.held("breaker", NOW, LATER).escalated()).isFalse();
        ParkedSequence pending = first.pending(1, LATER);

        assertThat(List.of(pending, pending.due(NOW), pending.held("breaker", NOW, LATER), pending.grown()))
                .allMatch(ParkedSequence::escalated);
    }

    @Test
    void clearsBreakerWhenNoLongerHeld() {
        ParkedSequence held = first.held("breaker", NOW, LATER);

        assertThat(held.heldBy()).isEqualTo("breaker");
        assertThat(held.retrying(1, LATER).heldBy()).isNull();
        assertThat(held.pending(1, LATER).heldSince()).isNull();
    }

    @Test
    void isCountedByState() {
        QueueCounts counts = QueueCounts.EMPTY
                .with(first)
                .with(first.grown().held("breaker", NOW, NOW))
                .with(first.grown().grown().pending(1, NOW));

        assertThat(counts).isEqualTo(new QueueCounts(6, 1, 1, 1, 3, 0, 0));
        assertThat(counts.waiting()).isEqualTo(2);
        assertThat(counts.without(first)).isEqualTo(new QueueCounts(5, 0, 1, 1, 3, 0, 0));
    }

    @Test
    void everyKindOfWriteTouchesItsSequence() {
        SequenceId ended = new SequenceId("billing/invoices", "b");
        SequenceId removed = new SequenceId("billing/invoices", "c");
        LetterWrites writes = new LetterWrites(
                List.of(), List.of(), List.of(new LetterId(removed, 1)), List.of(first), List.of(ended));

        assertThat(writes.touched()).containsExactlyInAnyOrder(ID, ended, removed);
        assertThat(writes.isEmpty()).isFalse();
        assertThat(LetterWrites.NONE
                        .withLimits(Map.of("x", QueueLimits.DEFAULT))
                        .isEmpty())
                .isTrue();
    }
}
