package io.holdfast.saga;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A declared type of choreographed sagas: its steps, and what each event type means. Immutable and thread-safe. */
public final class Choreography {

    private final String type;
    private final List<String> streams;
    private final List<SagaStep> steps;
    private final @Nullable SagaCancellation cancellation;
    private final @Nullable Duration timeout;
    private final Map<String, EventMeaning> meanings = new LinkedHashMap<>();

    Choreography(
            String type,
            List<String> streams,
            List<SagaStep> steps,
            @Nullable SagaCancellation cancellation,
            @Nullable Duration timeout) {
        this.type = type;
        this.streams = streams;
        this.steps = List.copyOf(steps);
        this.cancellation = cancellation;
        this.timeout = timeout;
        this.steps.forEach(this::addMeanings);
    }

    private void addMeanings(SagaStep step) {
        meanings.put(step.event(), new EventMeaning(step, StepFact.DONE));
        step.failedBy().forEach(event -> meanings.put(event, new EventMeaning(step, StepFact.FAILED)));
        step.withdrawnBy().forEach(event -> meanings.put(event, new EventMeaning(step, StepFact.WITHDRAWN)));
        step.findCompensation().ifPresent(event -> meanings.put(event, new EventMeaning(step, StepFact.UNDONE)));
    }

    /** Returns the name of the saga type, for example {@code OrderFulfillment}. */
    public String type() {
        return type;
    }

    /** Returns the streams that contain the saga's events, in the order of their declaration. */
    public List<String> streams() {
        return streams;
    }

    /** Returns the steps, by their number. The last one completes the saga. */
    public List<SagaStep> steps() {
        return steps;
    }

    /** Returns the services that take part, in the order of their first step. */
    public Set<String> services() {
        Set<String> services = new LinkedHashSet<>();
        steps.forEach(step -> services.add(step.service()));
        return services;
    }

    /** Returns the service that tracks the sagas of this type: the service of step 0. */
    public String tracker() {
        return steps.get(0).service();
    }

    /** Returns what an event type means; empty if the saga does not record it. */
    public Optional<EventMeaning> findMeaning(String eventType) {
        return Optional.ofNullable(meanings.get(eventType));
    }

    /** Returns the types of all events that the saga records, by step. */
    public Set<String> eventTypes() {
        return new LinkedHashSet<>(meanings.keySet());
    }

    /** Returns the type of the event that compensates a forward event; empty if it has none. */
    public Optional<String> findCompensation(String forwardEvent) {
        return findMeaning(forwardEvent)
                .filter(meaning -> meaning.fact() == StepFact.DONE)
                .flatMap(meaning -> meaning.step().findCompensation());
    }

    /** Returns the service that appends an event type, and so also compensates it. */
    public Optional<String> findService(String eventType) {
        return findMeaning(eventType).map(meaning -> meaning.step().service());
    }

    /** Returns the local compensation; present in the service of step 0. */
    public Optional<SagaCancellation> findCancellation() {
        return Optional.ofNullable(cancellation);
    }

    /** Returns the timeout declared in code, if any. */
    public Optional<Duration> findTimeout() {
        return Optional.ofNullable(timeout);
    }

    /**
     * Records an event of a saga. A pure function: recording an event again changes nothing, and events of different
     * streams may arrive in any order.
     *
     * @param before the saga's row, or null if it has none
     * @param event an event that carries this saga's id
     * @param timeLimit how long the saga may take, measured from step 0
     * @return the row after the event; {@code before} if the saga does not record this event type
     */
    public @Nullable SagaState record(@Nullable SagaState before, SagaEvent event, Duration timeLimit) {
        EventMeaning meaning = meanings.get(event.type());
        if (meaning == null || (before != null && !before.sagaType().equals(type))) {
            return before; // also if a saga of another type has this id
        }
        SagaState known = before == null ? SagaState.placeholder(this, event.sagaId()) : before;
        SagaState started = meaning.stepNumber() == 0 && meaning.fact() == StepFact.DONE
                ? known.started(event.key(), event.correlationId(), event.at(), timeLimit)
                : known;
        return started.record(meaning, event.fact());
    }

    @Override
    public String toString() {
        return "saga type " + type;
    }
}
