package io.holdfast.tck.deadletter;

import static io.holdfast.tck.harness.ScriptedBreakers.Outcome.ABANDONED;
import static io.holdfast.tck.harness.ScriptedBreakers.Outcome.FAILED;
import static io.holdfast.tck.harness.ScriptedBreakers.Outcome.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.tck.harness.ApplicationRows;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.ScriptedBreakers;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The outcome of a whole attempt, commit included, reaches the circuit breaker of its component exactly once. */
public abstract class GuardedAttemptsKit extends DeadLetterEngineKit {

    private static final String BREAKER = "payment";

    private final ScriptedBreakers breakers = new ScriptedBreakers(() -> false);
    /** The texts for which decisions throw. */
    private final Set<String> rejected = new HashSet<>();

    private EventProcessorBuilder guard(EventProcessorBuilder builder, Component component) {
        return builder.resilience(CopyingReplica.RESILIENCE, breakers, new BreakerProbes(CopyingReplica.RESILIENCE))
                .calls(component);
    }

    private CopyingReplica guarded(FailingStore failing) {
        Component component = Component.named(COPIES)
                .on(Noted.class, this::copyOrReject)
                .guardedBy(BREAKER)
                .build();
        return new CopyingReplica(store(), failing, harness().clock(), builder -> guard(builder, component));
    }

    private CopyingReplica guarded() {
        return guarded(new FailingStore(store().commitStore()));
    }

    private void copyOrReject(Noted event, EventContext context) {
        copy(event, context);
        context.decide(decision -> {
            if (rejected.contains(event.text())) {
                throw new IllegalStateException("rejected " + event.text());
            }
        });
    }

    @Test
    void successIsReportedAfterTheCommit() {
        CopyingReplica copier = guarded();
        appendInput("a", "a1", "a2");
        copier.step();
        assertThat(attempted).hasSize(2);
        assertThat(breakers.outcomes()).isEmpty();

        run(copier);

        assertThat(breakers.outcomes()).containsExactly(SUCCEEDED, SUCCEEDED);
    }

    @Test
    void failedDecisionIsReportedOnce() {
        CopyingReplica copier = guarded();
        rejected.add("a1");
        appendInput("a", "a1", "a2");
        appendInput("b", "b1");

        run(copier);

        assertThat(parkedTexts("a")).containsExactly("a1", "a2");
        assertThat(breakers.outcomes()).containsExactlyInAnyOrder(FAILED, ABANDONED, SUCCEEDED);
    }

    @Test
    void effectsThatTheStoreRejectsAreReportedAsFailure() {
        CopyingReplica copier = guarded();
        appendInput(FailingStore.POISON, "p1");
        appendInput("a", "a1");
        appendInput("b", "b1");

        run(copier);

        assertThat(parked(FailingStore.POISON).state()).isEqualTo(SequenceState.PENDING);
        assertThat(output()).containsExactlyInAnyOrder("a1", "b1");
        assertThat(breakers.outcomes()).containsExactlyInAnyOrder(FAILED, SUCCEEDED, SUCCEEDED);
    }

    @Test
    void lettersOfARejectedReplayAreReportedOnce() {
        CopyingReplica copier = guarded();
        broken.add("p1");
        appendInput(FailingStore.POISON, "p1", "p2", "p3", "p4");
        run(copier);
        broken.clear();

        CompletableFuture<Boolean> drained = copier.letters().processAny();
        runUntil(drained, copier);

        assertThat(drained).isCompletedWithValue(false);
        assertThat(breakers.openCalls()).isZero();
    }

    @Test
    void failureOfTheStoreIsNotReported() {
        FailingStore failing = new FailingStore(store().commitStore());
        CopyingReplica copier = guarded(failing);
        appendInput("a", "a1");
        run(copier);
        failing.failCommits(20);
        appendInput("a", "a2");

        rounds(3, copier);
        assertThat(breakers.outcomes()).contains(ABANDONED).doesNotContain(FAILED);
        assertThat(breakers.openCalls()).isZero();
        failing.failCommits(0);
        runFor(Duration.ofMinutes(1), copier);

        assertThat(output("a")).containsExactly("a1", "a2");
        assertThat(breakers.outcomes()).last().isEqualTo(SUCCEEDED);
    }

    @Test
    void rolledBackApplicationRowsAreNotReported() {
        ApplicationRows rows = harness().applicationRows();
        Component writing = Component.named(COPIES)
                .on(Noted.class, (event, context) -> {
                    rows.write(RowWritingComponent.transaction(context), event.text());
                    copyOrReject(event, context);
                })
                .rowsIn(rows.resource())
                .guardedBy(BREAKER)
                .build();
        CopyingReplica copier = newReplica(builder -> guard(builder, writing));
        rejected.add("a1");
        appendInput("a", "a1");
        appendInput("b", "b1");

        run(copier);

        assertThat(rows.read()).containsExactly("b1");
        assertThat(breakers.outcomes())
                .as("a1 failed, b1 was rolled back and handled again")
                .containsExactlyInAnyOrder(FAILED, ABANDONED, SUCCEEDED);
    }

    /** The database ends the transaction, which says nothing about the dependency. */
    @Test
    void lostTransactionIsNotReported() {
        ApplicationRows rows = harness().applicationRows();
        Set<String> losing = new HashSet<>(Set.of("b1"));
        Component writing = Component.named(COPIES)
                .on(Noted.class, (event, context) -> {
                    copyOrReject(event, context);
                    if (losing.contains(event.text())) {
                        rows.lose(RowWritingComponent.transaction(context));
                    }
                })
                .rowsIn(rows.resource())
                .guardedBy(BREAKER)
                .build();
        CopyingReplica copier = newReplica(builder -> guard(builder, writing));
        appendInput("a", "a1");
        appendInput("b", "b1");

        runFor(Duration.ofSeconds(10), copier);

        assertThat(parkedTexts("b")).containsExactly("b1");
        assertThat(breakers.outcomes()).contains(SUCCEEDED, ABANDONED).doesNotContain(FAILED);
        assertThat(breakers.openCalls()).isZero();
        losing.clear();
        assertThat(processAny(copier)).isTrue();
        assertThat(breakers.outcomes()).last().isEqualTo(SUCCEEDED);
    }
}
