package io.holdfast.saga.orchestration;

import io.holdfast.InvalidSettingsException;
import io.holdfast.event.PayloadCodec;
import io.holdfast.handling.Component;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.tracking.JudgedSagas;
import io.holdfast.view.RowCursor;
import io.holdfast.wire.Wire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All definitions that a service runs: what its builder needs of them. Thread-safe. */
public final class SagaOrchestrations implements AutoCloseable {

    /** The name of the processor that runs them. */
    public static final String PROCESSOR = "sagas";

    /** Transitions are short, and calls run on threads of their own; more segments would only write more tokens. */
    public static final int SEGMENTS = 4;

    private static final int PAGE_SIZE = 500;
    private static final int MOST_NAMED = 10;

    private final Map<String, Orchestration<?>> byName = new LinkedHashMap<>();
    private final List<Component> components = new ArrayList<>();
    private final List<JudgedSagas> judged = new ArrayList<>();
    private final CallThreads threads;
    private final SagaStateStore sagas;
    private final Wire wire;
    private final StreamOwners owners;

    /**
     * @param ownedStreams the streams of the service
     * @param deadlineTime the clock on which deadlines are set
     * @param callThreads how many blocking calls may run at once
     */
    public SagaOrchestrations(
            String service,
            Collection<SagaDefinition<?>> definitions,
            Set<String> ownedStreams,
            PayloadCodec codec,
            SagaSettings settings,
            SagaStateStore sagas,
            Wire wire,
            Supplier<Instant> deadlineTime,
            int callThreads) {
        this.threads = new CallThreads(service, callThreads);
        this.sagas = sagas;
        this.wire = wire;
        this.owners = new StreamOwners(service, ownedStreams, wire);
        requireUnique(definitions);
        definitions.forEach(definition -> add(
                new Orchestration<>(service, definition, codec, settings, deadlineTime, owners::describe), settings));
    }

    private static void requireUnique(Collection<SagaDefinition<?>> definitions) {
        Set<String> names = new LinkedHashSet<>();
        List<String> mistakes = definitions.stream()
                .filter(definition -> !names.add(definition.name()))
                .map(definition -> "saga " + definition.name() + " is defined twice; remove one")
                .toList();
        SagaDefinition.requireNone(mistakes);
    }

    private <D> void add(Orchestration<D> orchestration, SagaSettings settings) {
        byName.put(orchestration.definition().name(), orchestration);
        components.addAll(new OrchestrationComponents<>(orchestration, sagas, threads).build());
        judged.add(new OrchestratedSagas<>(orchestration, owners, settings.autoCompensate()));
    }

    /** Returns the components that run the definitions. */
    public List<Component> components() {
        return components;
    }

    /** Returns the saga types, as the timeout detector judges them. */
    public List<JudgedSagas> judged() {
        return judged;
    }

    /** Returns the definitions, in the order of their declaration. */
    public List<SagaDefinition<?>> definitions() {
        List<SagaDefinition<?>> definitions = new ArrayList<>();
        byName.values().forEach(orchestration -> definitions.add(orchestration.definition()));
        return definitions;
    }

    /** Returns the streams that contain the replies to commands. */
    public static Set<String> replyStreams(Collection<SagaDefinition<?>> definitions) {
        Set<String> streams = new LinkedHashSet<>();
        definitions.forEach(definition -> streams.addAll(definition.streams()));
        return streams;
    }

    Optional<Orchestration<?>> find(String sagaType) {
        return Optional.ofNullable(byName.get(sagaType));
    }

    /**
     * Checks that this version declares every step of the sagas that run.
     *
     * @throws InvalidSettingsException naming the steps that are missing, with some of their sagas
     */
    public void requireStepsOfRunningSagas() {
        Map<String, List<String>> missing = new TreeMap<>();
        byName.values().forEach(orchestration -> addMissing(orchestration.definition(), missing));
        if (!missing.isEmpty()) {
            List<String> problems = new ArrayList<>();
            missing.forEach((step, ids) -> problems.add("step " + step + " is not declared, but " + ids.size()
                    + " running sagas have it: "
                    + String.join(", ", ids.subList(0, Math.min(ids.size(), MOST_NAMED)))
                    + (ids.size() > MOST_NAMED ? ", …" : "")
                    + "; keep it as retired(…), or name it by formerly(…) at the step that replaces it"));
            throw new InvalidSettingsException(problems);
        }
    }

    private void addMissing(SagaDefinition<?> definition, Map<String, List<String>> missing) {
        for (SagaState saga : running(definition.name())) {
            for (String step : saga.steps().keySet()) {
                if (definition.indexOf(step) < 0) {
                    missing.computeIfAbsent(definition.name() + "/" + step, unknown -> new ArrayList<>())
                            .add(saga.sagaId());
                }
            }
        }
    }

    private List<SagaState> running(String sagaType) {
        List<SagaState> found = new ArrayList<>();
        RowCursor cursor = null;
        List<StoredSaga> page;
        do {
            page = sagas.listActive(List.of(sagaType), cursor, PAGE_SIZE);
            page.forEach(saga -> found.add(saga.state()));
            cursor = page.isEmpty() ? null : page.get(page.size() - 1).cursor();
        } while (page.size() == PAGE_SIZE);
        return found;
    }

    /** Returns why sagas may not progress: streams of replies whose owner has not announced itself. */
    public List<String> problems() {
        if (wire.directory().isEmpty()) {
            return List.of(); // the wire is down, which is reported as such
        }
        return byName.values().stream()
                .flatMap(orchestration -> orchestration.definition().streams().stream()
                        .filter(stream -> owners.find(stream).isEmpty())
                        .map(stream -> "saga " + orchestration.definition().name() + " awaits replies in stream "
                                + stream + ", but no running service owns it"))
                .toList();
    }

    @Override
    public void close() {
        threads.close();
    }
}
