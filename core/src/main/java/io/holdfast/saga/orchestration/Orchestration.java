package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.DecisionContext;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.SagaKind;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaStart;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.SagaView;
import io.holdfast.view.RowKey;
import io.holdfast.view.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A definition in the service that runs it: the decisions that start its sagas and move them on. Thread-safe. */
final class Orchestration<D> {

    private final String service;
    private final SagaDefinition<D> definition;
    private final PayloadCodec codec;
    private final SagaSettings settings;
    private final View<SagaState> view;
    private final AggregateType<NoState> stream;
    private final Supplier<Instant> deadlineTime;
    private final UnaryOperator<String> owners;

    /**
     * @param deadlineTime the clock on which deadlines are set
     * @param owners returns the owner of a stream, or a description of it; for display only
     */
    Orchestration(
            String service,
            SagaDefinition<D> definition,
            PayloadCodec codec,
            SagaSettings settings,
            Supplier<Instant> deadlineTime,
            UnaryOperator<String> owners) {
        this.service = service;
        this.definition = definition;
        this.codec = codec;
        this.settings = settings;
        this.view = SagaView.of(settings);
        this.stream = AggregateType.of(SagaStreams.of(service), NoState.class, new NoState())
                .ignoringAll()
                .build();
        this.deadlineTime = deadlineTime;
        this.owners = owners;
    }

    SagaDefinition<D> definition() {
        return definition;
    }

    /** Returns how long a saga may take. */
    Duration timeLimit() {
        return settings.deadlineOf(definition.name(), definition.findTimeout());
    }

    /**
     * Returns the decision that starts a saga, unless it was started before.
     *
     * @param correlationId the id that all events of the conversation share, or null
     */
    Decision start(String sagaId, D data, @Nullable String correlationId) {
        return onRow(sagaId, context -> {
            if (context.row(view, sagaId) == null) {
                PayloadCodec.Decoded<D> encoded = codec.encode(data, null);
                SagaState saga = fresh(sagaId, encoded, correlationId, context.now());
                SagaRun<D> run = new SagaRun<>(this, context, saga, encoded);
                run.start();
                run.store();
            }
        });
    }

    private SagaState fresh(String sagaId, PayloadCodec.Decoded<D> data, @Nullable String correlationId, Instant now) {
        List<SagaStepRecord> records = new ArrayList<>();
        for (StepDefinition<D> step : definition.steps()) {
            if (!step.retired()) {
                records.add(record(step));
            }
        }
        String key = definition.keyOf(data.value());
        return SagaState.orchestrated(
                sagaId,
                definition.name(),
                service,
                new SagaStart(key.isEmpty() ? sagaId : key, correlationId, now),
                dueAfter(timeLimit()),
                records,
                data.payload());
    }

    /** Returns a step that has not started. */
    SagaStepRecord record(StepDefinition<D> step) {
        return SagaStepRecord.orchestrated(
                definition.indexOf(step.name()),
                step.name(),
                step.replyStream().map(owners).orElse(service),
                step.undoName());
    }

    /** Returns a decision that moves a saga on; it does nothing if the saga's row does not exist. */
    Decision transition(String sagaId, Consumer<SagaRun<D>> change) {
        return onRow(sagaId, context -> {
            SagaState saga = context.row(view, sagaId);
            if (saga != null && isOwn(saga)) {
                SagaRun<D> run = run(context, saga);
                change.accept(run);
                run.store();
            }
        });
    }

    /** Returns a transition of a saga, inside a decision. */
    SagaRun<D> run(DecisionContext context, SagaState saga) {
        SagaRun<D> run = new SagaRun<>(this, context, saga, null);
        run.requireKnownSteps();
        return run;
    }

    /** Returns whether this definition runs the saga. */
    boolean isOwn(SagaState saga) {
        return saga.kind() == SagaKind.ORCHESTRATED && saga.sagaType().equals(definition.name());
    }

    private Decision onRow(String sagaId, Consumer<DecisionContext> decide) {
        return new Decision() {
            @Override
            public void decide(DecisionContext context) {
                decide.accept(context);
            }

            @Override
            public Collection<RowKey> rows() {
                return List.of(new RowKey(SagaView.NAME, sagaId));
            }
        };
    }

    /** Returns the time after a delay, on the clock of deadlines. */
    Instant dueAfter(Duration delay) {
        return deadlineTime.get().plus(delay);
    }

    View<SagaState> view() {
        return view;
    }

    PayloadCodec codec() {
        return codec;
    }

    String service() {
        return service;
    }

    /** Returns the aggregate to whose keys commands and triggers are appended. */
    AggregateType<NoState> stream() {
        return stream;
    }

    /** Returns what the events of a step carry. */
    Metadata metadata(SagaState saga, int stepNumber, boolean compensating) {
        return Metadata.none().withSaga(saga.sagaType(), saga.sagaId()).withStep(stepNumber, compensating);
    }

    /** Returns the event that triggers a call, or an undo in this service. It contains the data of the saga. */
    static Payload trigger(String type, Payload data) {
        return new Payload(type, data.revision(), data.json());
    }

    /** Returns the data that a trigger contains. */
    D dataOf(Payload trigger, String sagaId) {
        return decode(new Payload(dataName(), trigger.revision(), trigger.json()), sagaId);
    }

    D dataOf(SagaState saga) {
        return decode(requireData(saga), saga.sagaId());
    }

    private D decode(Payload data, String sagaId) {
        codec.requireKnownRevision(data, definition.dataType(), "the data of saga " + sagaId);
        return codec.decode(codec.upcast(data), definition.dataType());
    }

    static Payload requireData(SagaState saga) {
        return Optional.ofNullable(saga.data())
                .orElseThrow(() -> new PermanentException("saga " + saga.sagaId() + " has no data"));
    }

    private String dataName() {
        return io.holdfast.event.EventType.Of.name(definition.dataType());
    }

    /** The state of a key in the stream of commands and triggers: none. */
    record NoState() {}
}
