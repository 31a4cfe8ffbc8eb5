package io.holdfast.saga;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of one saga type. Steps are numbered from 0, in the order of their declaration. Within a saga type, an
 * event type has exactly one meaning: it must not be declared twice, not even as the failure of two steps, because facts
 * are recorded by event type alone.
 *
 * <p>Mistakes are reported together, when the service starts. Not thread-safe.
 */
public final class SagaDeclaration {

    private final String type;
    private final Set<String> streams = new LinkedHashSet<>();
    private final List<StepDraft> steps = new ArrayList<>();
    private final List<String> misplaced = new ArrayList<>();
    private int completions;
    private @Nullable SagaCancellation cancellation;
    private @Nullable Duration timeout;

    SagaDeclaration(String type) {
        this.type = type;
    }

    /** Declares the streams that contain the events of this saga, one or more per service. */
    public SagaDeclaration streams(String... names) {
        streams.addAll(List.of(names));
        return this;
    }

    /**
     * Declares the next step.
     *
     * @param event the type of the forward event
     * @param compensation the type of the event that compensates it
     * @param service the service that appends both
     */
    public SagaDeclaration register(String event, String compensation, String service) {
        if (completions > 0) {
            misplaced.add("step " + event + " must be declared before completedBy");
        }
        steps.add(new StepDraft(event, compensation, service));
        return this;
    }

    /** Declares the events that report that the step declared last was refused. */
    public SagaDeclaration failedBy(String... events) {
        addTo("failedBy", events, step -> step.failedBy);
        return this;
    }

    /**
     * Declares the events that report that the step declared last was withdrawn: its compensation came before the
     * action, which the service refuses from then on. While the saga compensates, it waits for one of these events if
     * the step is not done. Without them, a step that is not done counts as answered.
     */
    public SagaDeclaration withdrawnBy(String... events) {
        addTo("withdrawnBy", events, step -> step.withdrawnBy);
        return this;
    }

    /** Declares the event that completes the saga. It is the last step and has no compensation. */
    public SagaDeclaration completedBy(String event, String service) {
        steps.add(new StepDraft(event, null, service));
        completions++;
        return this;
    }

    /** Declares the local compensation for timeouts and operators. Required in the service of step 0. */
    public SagaDeclaration cancelBy(SagaCancellation cancel) {
        this.cancellation = cancel;
        return this;
    }

    /** Sets the time by which a saga of this type must end. The property {@code saga.timeout.saga-types} overrides it. */
    public SagaDeclaration timeout(Duration time) {
        this.timeout = time;
        return this;
    }

    String type() {
        return type;
    }

    int completions() {
        return completions;
    }

    /** Returns what was declared in the wrong place. */
    List<String> misplaced() {
        return misplaced;
    }

    /** Returns the result, which may be invalid. */
    Choreography choreography() {
        List<SagaStep> numbered = new ArrayList<>();
        steps.forEach(step -> numbered.add(step.numbered(numbered.size())));
        return new Choreography(type, List.copyOf(streams), numbered, cancellation, timeout);
    }

    private void addTo(String method, String[] events, Function<StepDraft, List<String>> target) {
        if (steps.isEmpty() || completions > 0) {
            misplaced.add(method + "(" + String.join(", ", events) + ") must follow register(…)");
        } else {
            target.apply(steps.get(steps.size() - 1)).addAll(List.of(events));
        }
    }

    /** A step whose declaration may continue. */
    private static final class StepDraft {

        private final String event;
        private final @Nullable String compensation;
        private final String service;
        private final List<String> failedBy = new ArrayList<>();
        private final List<String> withdrawnBy = new ArrayList<>();

        StepDraft(String event, @Nullable String compensation, String service) {
            this.event = event;
            this.compensation = compensation;
            this.service = service;
        }

        SagaStep numbered(int number) {
            return new SagaStep(number, event, compensation, service, failedBy, withdrawnBy);
        }
    }
}
