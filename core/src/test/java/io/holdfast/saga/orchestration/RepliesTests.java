package io.holdfast.saga.orchestration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaStart;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.StepFact;
import io.holdfast.saga.orchestration.Replies.Meaning;
import io.holdfast.saga.orchestration.Replies.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Events whose type several steps declare. */
class RepliesTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final SagaFact first = new SagaFact("Ask", EventIds.random(NOW), NOW, null);
    private final SagaFact second = new SagaFact("Ask", EventIds.random(NOW), NOW, null);
    private final SagaDefinition<Question> definition = SagaDefinition.named("Survey", Question.class)
            .step("ask-ann")
            .command(question -> question)
            .repliedBy("answers", "Answered")
            .step("ask-bob")
            .command(question -> question)
            .repliedBy("answers", "Answered")
            .build();

    @Test
    void answerTheStepWhoseCommandCausedThem() {
        assertThat(find(first.eventId())).contains(new Meaning<>(step(0), Outcome.SUCCESS));
        assertThat(find(second.eventId())).contains(new Meaning<>(step(1), Outcome.SUCCESS));
    }

    @Test
    void answerTheStepInProgressIfTheirCauseIsUnknown() {
        assertThat(find(null)).contains(new Meaning<>(step(1), Outcome.SUCCESS));
    }

    private StepDefinition<Question> step(int index) {
        return definition.steps().get(index);
    }

    private Optional<Meaning<Question>> find(UUID cause) {
        Metadata metadata = cause == null ? Metadata.none() : Metadata.none().withCausationId(cause.toString());
        LogPosition place = new LogPosition(new LogIdentity(EventIds.random(NOW), 1), 1, 0, null);
        Payload payload = new Payload("Answered", 1, "{}");
        EventMessage event =
                new EventMessage(EventIds.random(NOW), "elsewhere", "answers", "s-1", 1, NOW, metadata, payload, place);
        return definition.replies().find("Answered", event, saga());
    }

    /** Returns a saga whose first step is done. */
    private SagaState saga() {
        SagaStepRecord done = asked(0, "ask-ann", first).with(StepFact.DONE, SagaFact.decided(NOW, null));
        return SagaState.orchestrated(
                "s-1",
                "Survey",
                "surveys",
                new SagaStart("s-1", null, NOW),
                NOW,
                List.of(done, asked(1, "ask-bob", second)),
                new Payload("Question", 1, "{}"));
    }

    private static SagaStepRecord asked(int number, String name, SagaFact command) {
        SagaStepRecord step = SagaStepRecord.orchestrated(number, name, "elsewhere", null);
        return step.with(number, "elsewhere", step.requireExecution().sent(command, "Answered", null));
    }

    record Question() {}
}
