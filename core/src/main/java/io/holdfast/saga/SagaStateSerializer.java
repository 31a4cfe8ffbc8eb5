package io.holdfast.saga;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * Writes a saga as a short JSON object, because its row is written with every step: no empty lists, zeros or false, no
 * name of a step beside the key that is its name, and no event type that the step's declaration already names. An object
 * in which a newer version may have stored more is always written.
 * {@link SagaState#read} and {@link SagaStepRecord#named} complete what is left out.
 */
final class SagaStateSerializer extends ValueSerializer<SagaState> {

    @Override
    public void serialize(SagaState saga, JsonGenerator json, SerializationContext context) {
        json.writeStartObject();
        json.writeStringProperty("sagaId", saga.sagaId());
        json.writeStringProperty("sagaType", saga.sagaType());
        if (saga.kind() != SagaKind.CHOREOGRAPHED) {
            json.writeStringProperty("kind", saga.kind().name());
        }
        json.writeStringProperty("service", saga.service());
        SagaStart start = saga.start();
        if (start != null) {
            json.writeObjectPropertyStart("start");
            json.writeStringProperty("key", start.key());
            write("correlationId", start.correlationId(), json);
            json.writeStringProperty("at", start.at().toString());
            json.writeEndObject();
        }
        if (saga.deadline() != null) {
            write(saga.deadline(), json, context);
        }
        json.writeObjectPropertyStart("steps");
        saga.steps().values().forEach(step -> write(step, json));
        json.writeEndObject();
        write(saga.milestones(), json);
        write("attention", saga.attention(), json);
        if (saga.data() != null) {
            context.defaultSerializeProperty("data", saga.data(), json);
        }
        json.writeEndObject();
    }

    private static void write(SagaDeadline deadline, JsonGenerator json, SerializationContext context) {
        json.writeObjectPropertyStart("deadline");
        json.writeStringProperty("at", deadline.at().toString());
        if (deadline.recheckAt() != null) {
            json.writeStringProperty("recheckAt", deadline.recheckAt().toString());
        }
        write("judgements", deadline.judgements(), json);
        if (deadline.suspended() != null) {
            context.defaultSerializeProperty("suspended", deadline.suspended(), json);
        }
        json.writeEndObject();
    }

    private static void write(SagaStepRecord step, JsonGenerator json) {
        json.writeObjectPropertyStart(step.name());
        json.writeNumberProperty("stepNumber", step.stepNumber());
        json.writeStringProperty("service", step.service());
        write("compensation", step.compensation(), json);
        if (!step.withdrawals().isEmpty()) {
            json.writeArrayPropertyStart("withdrawals");
            step.withdrawals().forEach(json::writeString);
            json.writeEndArray();
        }
        if (step.completing()) {
            json.writeBooleanProperty("completing", true);
        }
        write("attempts", step.attempts(), json);
        for (StepFact kind : StepFact.values()) {
            write(kind.property(), step.fact(kind), step.declaredEvent(kind), json);
        }
        if (step.execution() != null) {
            write(step.execution(), json);
        }
        json.writeEndObject();
    }

    private static void write(StepExecution execution, JsonGenerator json) {
        json.writeObjectPropertyStart("execution");
        write("sent", execution.sent(), null, json);
        write("reply", execution.reply(), json);
        if (execution.dueAt() != null) {
            json.writeStringProperty("dueAt", execution.dueAt().toString());
        }
        if (execution.unknown()) {
            json.writeBooleanProperty("unknown", true);
        }
        write("undoSent", execution.undoSent(), null, json);
        json.writeEndObject();
    }

    private static void write(SagaMilestones milestones, JsonGenerator json) {
        json.writeObjectPropertyStart("milestones");
        write("completed", milestones.completed(), null, json);
        if (milestones.compensated()) {
            json.writeBooleanProperty("compensated", true);
        }
        write("timedOut", milestones.timedOut(), null, json);
        write("cancelRequested", milestones.cancelRequested(), null, json);
        write("gaveUp", milestones.gaveUp(), null, json);
        json.writeEndObject();
    }

    /** @param declared the event type that a reader assumes; null if it assumes none */
    private static void write(String property, @Nullable SagaFact fact, @Nullable String declared, JsonGenerator json) {
        if (fact == null) {
            return;
        }
        json.writeObjectPropertyStart(property);
        if (fact.eventId() == null || !Objects.equals(fact.eventType(), declared)) {
            write("eventType", fact.eventType(), json);
        }
        if (fact.eventId() != null) {
            json.writeStringProperty("eventId", fact.eventId().toString());
        }
        json.writeStringProperty("at", fact.at().toString());
        write("reason", fact.reason(), json);
        json.writeEndObject();
    }

    private static void write(String property, @Nullable String text, JsonGenerator json) {
        if (text != null) {
            json.writeStringProperty(property, text);
        }
    }

    private static void write(String property, int number, JsonGenerator json) {
        if (number != 0) {
            json.writeNumberProperty(property, number);
        }
    }
}
