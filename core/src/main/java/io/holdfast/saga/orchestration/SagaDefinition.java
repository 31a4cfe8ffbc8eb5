package io.holdfast.saga.orchestration;

import io.holdfast.InvalidSettingsException;
import io.holdfast.saga.SagaStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An orchestrated saga: its steps from top to bottom, each with its action, its undo, its condition and its limits.
 * Immutable and thread-safe.
 *
 * <pre>{@code
 * SagaDefinition.named("OrderCheckout", Checkout.class)
 *         .timeout(Duration.ofSeconds(60))
 *         .step("create-order")
 *             .local((data, decision) -> Order.create(data, decision))
 *             .undo((data, decision) -> Order.cancel(data, decision))
 *         .step("check-fraud").when(Checkout::isLarge)
 *             .call((data, call) -> fraud.score(data, call.idempotencyKey())).then(Checkout::withScore)
 *             .timeout(Duration.ofSeconds(5)).retry(3).breaker("fraud")
 *         .step("reserve-stock")
 *             .command(data -> new ReserveStock(data.orderId(), data.lines()))
 *             .repliedBy("reservations", "StockReserved").refusedBy("StockReservationFailed")
 *             .undo(data -> new ReleaseStock(data.orderId())).repliedBy("StockReleased", "ReservationWithdrawn")
 *         .step("confirm-order").local((data, decision) -> Order.confirm(data, decision))
 *         .build();
 * }</pre>
 *
 * <p>If a step fails, the steps before it are undone in reverse order. Sagas that run follow the names of their steps: see
 * {@link DeclaredStep#retired} and {@link SagaStepBuilder#formerly} for changing a definition.
 *
 * @param <D> the data of the saga: an immutable class, stored as JSON
 */
public final class SagaDefinition<D> {

    private final String name;
    private final Class<D> dataType;
    private final @Nullable Duration timeout;
    private final Function<? super D, String> key;
    private final List<StepDefinition<D>> steps;
    private final Map<String, Integer> indexes = new LinkedHashMap<>();
    private final Replies<D> replies;

    SagaDefinition(
            String name,
            Class<D> dataType,
            @Nullable Duration timeout,
            Function<? super D, String> key,
            List<StepDefinition<D>> steps) {
        this.name = name;
        this.dataType = dataType;
        this.timeout = timeout;
        this.key = key;
        this.steps = List.copyOf(steps);
        for (int i = 0; i < steps.size(); i++) {
            for (String known : steps.get(i).names()) {
                indexes.put(known, i);
            }
        }
        this.replies = new Replies<>(this.steps);
    }

    /**
     * Starts a definition.
     *
     * @param name the saga type, which must not change while sagas of it run
     * @param dataType the immutable class of the saga's data
     */
    public static <D> SagaDefinitionBuilder<D> named(String name, Class<D> dataType) {
        return new SagaDefinitionBuilder<>(name, dataType);
    }

    /** Returns the saga type. */
    public String name() {
        return name;
    }

    public Class<D> dataType() {
        return dataType;
    }

    /** Returns the timeout declared in code, if any. */
    public Optional<Duration> findTimeout() {
        return Optional.ofNullable(timeout);
    }

    /** Returns the names of the steps that a new saga has, in their order. */
    public List<String> stepNames() {
        return steps.stream()
                .filter(step -> !step.retired())
                .map(StepDefinition::name)
                .toList();
    }

    /** Returns the streams that contain the replies to commands. */
    public Set<String> streams() {
        Set<String> streams = new LinkedHashSet<>();
        steps.forEach(step -> step.replyStream().ifPresent(streams::add));
        return streams;
    }

    /**
     * Returns the steps as operators see them.
     *
     * @param service the service that runs the definition
     */
    public List<SagaStep> describeSteps(String service) {
        List<SagaStep> described = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            StepDefinition<D> step = steps.get(i);
            if (!step.retired()) {
                String performer =
                        step.replyStream().map(stream -> "owner of " + stream).orElse(service);
                described.add(new SagaStep(i, step.name(), step.undoName(), performer, step.refusals(), List.of()));
            }
        }
        return described;
    }

    /** Returns a Mermaid {@code stateDiagram-v2}: the steps, what can fail, and how it is undone. */
    public String diagram() {
        return new DefinitionDiagram(this).draw();
    }

    /** Returns the business key of a saga, by which operators recognize it; empty if none is declared. */
    String keyOf(D data) {
        return key.apply(data);
    }

    /** Returns all steps, retired ones included, in their order. */
    List<StepDefinition<D>> steps() {
        return steps;
    }

    Replies<D> replies() {
        return replies;
    }

    /** Returns the place of a step, by its name or a former one; -1 if the definition does not have it. */
    int indexOf(String stepName) {
        return indexes.getOrDefault(stepName, -1);
    }

    /** Returns the type of the event that triggers the call of a step, and the name of the component that makes it. */
    String trigger(String stepName) {
        return name + "." + stepName;
    }

    /** Returns the type of the event that triggers the undo of a local step or of a call, and the name of its component. */
    String undoTrigger(String stepName) {
        return trigger(stepName) + StepDefinition.UNDO_SUFFIX;
    }

    /** @throws InvalidSettingsException naming every mistake */
    static void requireNone(List<String> mistakes) {
        if (!mistakes.isEmpty()) {
            throw new InvalidSettingsException(mistakes);
        }
    }

    @Override
    public String toString() {
        return "saga definition " + name;
    }
}
