package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.UnsupportedHereException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The invariants of letters that await another version of the sink. A replica neither removes nor judges a letter that
 * its version cannot handle, and spends no attempt on it.
 */
final class VersionInvariants {

    private static final String UNSUPPORTED = UnsupportedHereException.class.getName();

    private final World world;
    private final List<String> violations = new ArrayList<>();
    private Map<SequenceId, ParkedSequence> awaiting = new HashMap<>();
    private Map<SequenceId, ParkedSequence> stillAwaiting = new HashMap<>();

    VersionInvariants(World world) {
        this.world = world;
    }

    /** Records what a replica of this version did. */
    void onChange(SinkVersion version, DeadLetterChange change) {
        if (change.kind() == DeadLetterChange.Kind.REPLAYED) {
            change.removedEvents()
                    .forEach(event -> requireHandled(
                            version, "has removed", change.sequence().component(), find(event)));
        }
    }

    /** Records that a replica of this version let the policy decide. */
    void onDecision(SinkVersion version, DeadLetter letter) {
        requireHandled(version, "has judged", letter.sequence().component(), letter.message());
    }

    private void requireHandled(SinkVersion version, String what, String component, EventMessage event) {
        if (!version.handles(SinkReplica.name(component), event.type())) {
            violations.add("version " + version + " " + what + " " + event + " in " + component);
        }
    }

    private EventMessage find(UUID id) {
        return world.sourceEvents().stream()
                .filter(event -> event.id().equals(id))
                .findFirst()
                .or(() -> world.failovers.findLost(id))
                .orElseThrow();
    }

    void check(ParkedSequence sequence, List<DeadLetter> letters) {
        assertThat(letters).allSatisfy(letter -> assertThat(letter.attempts())
                .as("attempts of %s", letter)
                .noneMatch(attempt -> attempt.failure().startsWith(UNSUPPORTED)));
        if (sequence.awaits() != null) {
            DeadLetter first = letters.get(0);
            assertThat(Objects.requireNonNull(first.cause()).type())
                    .as("cause of %s, which awaits another version", first)
                    .isEqualTo(UNSUPPORTED);
            assertThat(sequence.awaits())
                    .as("what %s awaits", sequence)
                    .isEqualTo(first.message().type() + "@"
                            + first.message().payload().revision());
            checkAttempts(sequence, awaiting.get(sequence.id()));
            stillAwaiting.put(sequence.id(), sequence);
        }
    }

    private void checkAttempts(ParkedSequence sequence, @Nullable ParkedSequence before) {
        if (before != null
                && before.first() == sequence.first()
                && before.since().equals(sequence.since())
                && world.comparesChecks()) {
            assertThat(sequence.attempts())
                    .as("attempts of %s while it awaits another version", sequence)
                    .isEqualTo(before.attempts());
        }
    }

    void startOver() {
        awaiting = new HashMap<>();
    }

    /** Ends a round of checks. */
    void checked() {
        awaiting = stillAwaiting;
        stillAwaiting = new HashMap<>();
        assertThat(violations)
                .as("what replicas did with events that they cannot handle")
                .isEmpty();
    }
}
