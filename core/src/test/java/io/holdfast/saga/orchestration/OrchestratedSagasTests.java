package io.holdfast.saga.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.SagaLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStart;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.tracking.JudgedSagas;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the timeout detector asks about orchestrated sagas. */
class OrchestratedSagasTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final SagaDefinition<Question> definition = SagaDefinition.named("Survey", Question.class)
            .step("ask")
            .command(question -> question)
            .repliedBy("answers", "Answered")
            .timeout(Duration.ofMinutes(2))
            .build();

    @Test
    void areSuspendedByLettersThatNeedAnOperator() {
        JudgedSagas judged = judged(Set.of());

        assertThat(judged.isSuspendedBy(letter(SagaOrchestrations.PROCESSOR, SequenceState.PENDING)))
                .isTrue();
        assertThat(judged.isSuspendedBy(letter(SagaOrchestrations.PROCESSOR, SequenceState.RETRYING)))
                .isFalse();
        assertThat(judged.isSuspendedBy(letter(SagaOrchestrations.PROCESSOR, SequenceState.HELD)))
                .isFalse();
    }

    @Test
    void areSuspendedByAnyLetterOfAnotherProcessor() {
        assertThat(judged(Set.of()).isSuspendedBy(letter("rooms", SequenceState.RETRYING)))
                .isTrue();
    }

    @Test
    void doNotNameTheirOwnServiceAsAParticipant() {
        assertThat(judged(Set.of("answers")).participants()).isEmpty();
    }

    @Test
    void giveTheStepInProgressItsFullTimeAgainWhenTheyResume() {
        Instant later = NOW.plus(Duration.ofHours(1));

        SagaState resumed = judged(Set.of()).resumed(saga(), later);

        SagaStepRecord step = Objects.requireNonNull(resumed.steps().get("ask"));
        assertThat(step.requireExecution().dueAt()).isEqualTo(later.plus(Duration.ofMinutes(2)));
    }

    private SagaState saga() {
        SagaStepRecord step = SagaStepRecord.orchestrated(0, "ask", "elsewhere", null);
        SagaFact command = new SagaFact("Question", EventIds.random(NOW), NOW, null);
        Instant due = NOW.plus(Duration.ofMinutes(2));
        return SagaState.orchestrated(
                "s-1",
                "Survey",
                "surveys",
                new SagaStart("s-1", null, NOW),
                due,
                List.of(step.with(0, "elsewhere", step.requireExecution().sent(command, "Answered", due))),
                new Payload("Question", 1, "{}"));
    }

    private static SagaLetter letter(String processor, SequenceState state) {
        SequenceId sequence = new SequenceId("surveys/" + processor + "/component", "saga/s-1");
        return new SagaLetter(new LetterId(sequence, 1), EventIds.random(NOW), processor, state, true, NOW);
    }

    private JudgedSagas judged(Set<String> ownedStreams) {
        PayloadCodec codec = new PayloadCodec();
        InMemoryStore store = new InMemoryStore("surveys", Clock.systemUTC());
        SagaStateStore sagas = new SagaStateStore(store.viewStore(), codec);
        try (SagaOrchestrations orchestrations = new SagaOrchestrations(
                "surveys",
                List.of(definition),
                ownedStreams,
                codec,
                SagaSettings.DEFAULT,
                sagas,
                new InMemoryWire(),
                () -> NOW,
                1)) {
            return orchestrations.judged().get(0);
        }
    }

    record Question() {}
}
