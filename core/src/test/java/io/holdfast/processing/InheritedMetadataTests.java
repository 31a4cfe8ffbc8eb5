package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.handling.Component;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Events of a handler inherit the saga of their cause. The step and whether it compensates are their own. */
class InheritedMetadataTests extends ProcessorScenario {

    private static final Metadata COMPENSATION = Metadata.none()
            .withCorrelationId("c-1")
            .withSaga("OrderFulfillment", "s-1")
            .with("tenant", "t1")
            .withStepNumber(2)
            .withCompensating(true);

    /** Handles an event of a compensation, and returns the metadata of the event that the handler appends. */
    private Metadata handleCompensation(Metadata own) {
        var submitted = committer.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"),
                COMPENSATION,
                decision -> decision.append(INPUT, "a", new TextAdded("undone")))));
        committer.commitWaiting();
        submitted.join();
        run(processor(
                "copier",
                Component.named("copies")
                        .on(
                                TextAdded.class,
                                (event, context) ->
                                        context.decide(decision -> decision.append(OUTPUT, "a", event, own)))
                        .build()));
        EventMessage cause = store.eventLog().readStream("input", 0, 1).get(0);
        assertThat(cause.metadata().compensating()).isTrue();
        return store.eventLog().readStream("output", 0, 1).get(0).metadata();
    }

    @Test
    void neitherStepNorCompensationIsInherited() {
        Metadata inherited = handleCompensation(Metadata.none());

        assertThat(inherited.stepNumber()).isEmpty();
        assertThat(inherited.find("compensating")).isEmpty();
        assertThat(inherited.sagaId()).contains("s-1");
        assertThat(inherited.sagaType()).contains("OrderFulfillment");
        assertThat(inherited.correlationId()).contains("c-1");
        assertThat(inherited.find("tenant")).contains("t1");
    }

    @Test
    void handlerDeclaresItsOwnStep() {
        Metadata own = handleCompensation(Metadata.none().withStepNumber(3).withCompensating(false));

        assertThat(own.stepNumber()).hasValue(3);
        assertThat(own.find("compensating")).contains("false");
        assertThat(own.sagaId()).contains("s-1");
    }
}
