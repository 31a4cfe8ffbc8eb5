package io.holdfast.tck.simulation;

import static io.holdfast.deadletter.EnqueuePolicy.ALWAYS_ENQUEUE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.group.PartId;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.tck.harness.StoredSequences;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The invariants of parked letters that must be true at any moment, whatever has failed. */
final class ParkingInvariants {

    private final World world;
    private final DeadLetterStore store;
    private final Map<String, Long> maxPending = new HashMap<>();
    /** Sequences that were longer than the limit when it was deployed, or grew while they awaited another version. */
    private Map<SequenceId, Integer> tooLong = new HashMap<>();

    private int maxSequenceSize;

    ParkingInvariants(World world) {
        this.world = world;
        this.store = world.sink.store().deadLetterStore();
        rollOut(Step.RollOut.DEFAULT);
    }

    /** Compares the next check with this state, and not with what the last check found. */
    void startOver(Step.RollOut deployed) {
        rollOut(deployed);
        world.versionInvariants.startOver();
    }

    /** Applies the limits of a new version. Letters that already exceed them stay. */
    void rollOut(Step.RollOut version) {
        for (String component : SinkReplica.COMPONENTS) {
            long limit = version.settings(
                            SequencedDeadLetterQueue.name(SinkReplica.PROCESSOR, component), ALWAYS_ENQUEUE)
                    .effectiveLimits()
                    .maxSequences();
            String id = SinkReplica.id(component);
            maxPending.put(id, Math.max(limit, limitedPending(store.counts(id))));
        }
        maxSequenceSize = version.limits().maxSequenceSize();
        tooLong = StoredSequences.findAll(store, SinkReplica.PROCESSOR).stream()
                .filter(sequence -> sequence.size() > maxSequenceSize)
                .collect(Collectors.toMap(ParkedSequence::id, ParkedSequence::size));
    }

    void check() {
        Map<String, QueueCounts> counted = new HashMap<>();
        Map<SequenceId, Integer> stillTooLong = new HashMap<>();
        Set<String> parked = new HashSet<>();
        for (ParkedSequence sequence : StoredSequences.findAll(store, SinkReplica.PROCESSOR)) {
            counted.merge(
                    sequence.id().component(),
                    QueueCounts.EMPTY.with(sequence),
                    (before, unused) -> before.with(sequence));
            checkLetters(sequence, parked);
            checkSize(sequence);
            if (sequence.size() > maxSequenceSize) {
                stillTooLong.put(sequence.id(), sequence.size());
            }
        }
        tooLong = stillTooLong;
        world.versionInvariants.checked();
        for (String component : SinkReplica.COMPONENTS) {
            String id = SinkReplica.id(component);
            QueueCounts counts = counted.getOrDefault(id, QueueCounts.EMPTY);
            assertThat(store.counts(id)).as("counts of %s", id).isEqualTo(counts);
            assertThat(limitedPending(counts))
                    .as("PENDING sequences of %s", id)
                    .isLessThanOrEqualTo(maxPending.getOrDefault(id, 0L));
        }
    }

    /** Sequences that await another version count against no limit. */
    private static long limitedPending(QueueCounts counts) {
        return counts.pending() - counts.awaitingPending();
    }

    private void checkSize(ParkedSequence sequence) {
        if (sequence.awaits() == null && world.comparesChecks()) {
            assertThat(sequence.size())
                    .as("letters of %s", sequence)
                    .isLessThanOrEqualTo(tooLong.getOrDefault(sequence.id(), maxSequenceSize));
        }
    }

    private void checkLetters(ParkedSequence sequence, Set<String> parked) {
        List<DeadLetter> letters = store.findLetters(sequence.id(), Long.MIN_VALUE, Integer.MAX_VALUE);
        assertThat(letters).as("letters of %s", sequence).hasSize(sequence.size());
        assertThat(letters).as("letters of %s", sequence).isNotEmpty();
        world.versionInvariants.check(sequence, letters);
        DeadLetter first = letters.get(0);
        assertThat(first.number()).as("first letter of %s", sequence).isEqualTo(sequence.first());
        assertThat(letters.get(letters.size() - 1).number())
                .as("last letter of %s", sequence)
                .isLessThanOrEqualTo(sequence.last());
        boolean isDue = sequence.state() == SequenceState.RETRYING && sequence.attempts() == 0;
        assertThat(first.cause() != null || isDue)
                .as("first letter of %s has a cause or is due", sequence)
                .isTrue();
        long before = 0;
        for (DeadLetter letter : letters) {
            UUID event = letter.message().id();
            assertThat(parked.add(letter.sequence().component() + event))
                    .as("%s is parked once", letter)
                    .isTrue();
            if (!mayBeOutOfOrder(letter)) {
                assertThat(letter.message().version())
                        .as("order of letters in %s", sequence)
                        .isGreaterThan(before);
                before = letter.message().version();
            }
        }
    }

    private boolean mayBeOutOfOrder(DeadLetter letter) {
        String component = letter.sequence().component();
        return world.failovers.mayBeHandledAgain(letter.message().id())
                || world.reparked.contains(new PartId(letter.message().id(), component))
                || world.addedHandlers.mayComeLate(SinkReplica.name(component), letter.message());
    }
}
