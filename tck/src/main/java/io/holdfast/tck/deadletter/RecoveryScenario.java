package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.tck.harness.Noted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A component that copies events, and appends {@code ~a1} for an event {@code a1} that finally failed. */
abstract class RecoveryScenario extends DeadLetterEngineKit {

    /** The texts for which the recovery was called, whatever the outcome. */
    final List<String> recovered = new ArrayList<>();
    /** The failures that were passed to the recovery. */
    final List<Throwable> failures = new ArrayList<>();
    /** The texts for which the recovery throws. */
    final Set<String> unrecoverable = new HashSet<>();
    /** The texts for which a decision of the recovery throws. */
    final Set<String> rejected = new HashSet<>();

    final List<DeadLetterChange> changes = new ArrayList<>();

    final Component.Builder recovering() {
        return Component.named(COPIES).on(Noted.class, this::copy).recoverWith(this::recover);
    }

    private void recover(EventContext context, Throwable failure) {
        String text = codec.decode(context.event().payload(), Noted.class).text();
        recovered.add(text);
        failures.add(failure);
        context.decide(append(OUTPUT, context.event().key(), "~" + text));
        if (unrecoverable.contains(text)) {
            throw new IllegalStateException("no way to recover " + text);
        }
        context.decide(decision -> {
            if (rejected.contains(text)) {
                throw new IllegalStateException("rejected " + text);
            }
        });
    }

    final CopyingReplica recoverer() {
        return recoverer(builder -> builder);
    }

    final CopyingReplica recoverer(UnaryOperator<EventProcessorBuilder> more) {
        return newReplica(builder -> more.apply(builder)
                .deadLetterListener(changes::add)
                .calls(recovering().build()));
    }

    final List<DeadLetterChange.Kind> kinds() {
        return changes.stream().map(DeadLetterChange::kind).toList();
    }

    final void assertNothingParked() {
        assertThat(parked()).isEmpty();
        assertThat(letters("a")).isEmpty();
    }
}
