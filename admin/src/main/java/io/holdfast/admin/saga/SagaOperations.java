package io.holdfast.admin.saga;

import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaDiagrams;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.StoredSaga;
import io.holdfast.saga.UsualDurations;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds and inspects the sagas that a service tracks or runs. Thread-safe. */
public final class SagaOperations {

    private final HoldfastService service;
    private final SagaStateStore sagas;
    private final Clock clock;

    public SagaOperations(HoldfastService service, Clock clock) {
        this.service = service;
        this.sagas = service.sagaStates();
        this.clock = clock;
    }

    /**
     * Returns one page of sagas, newest first. If the query asks whether sagas are overdue, a page may be short or
     * empty although there are more, because one call reads at most {@link OverdueSearch#MAX_ROWS} sagas.
     *
     * @throws UnknownSagaTypeException if this service does not track the type
     */
    public SagaPage find(SagaQuery query) {
        FoundSagas found = search(query);
        return new SagaPage(found.sagas().stream().map(FoundSagas.Entry::saga).toList(), found.next());
    }

    /** As {@link #find}, with the place of each saga. */
    FoundSagas search(SagaQuery query) {
        List<String> types = types(query.type());
        UsualDurations usual = service.usualDurations();
        Instant now = clock.instant();
        Boolean overdue = query.overdue();
        OverdueSearch.Found found = overdue == null
                ? list(types, query)
                : new OverdueSearch(sagas, saga -> usual.isOverdue(saga, now) == overdue).find(types, query);
        return new FoundSagas(
                true,
                found.sagas().stream()
                        .map(saga -> new FoundSagas.Entry(SagaDetails.of(saga, usual, now), saga.cursor()))
                        .toList(),
                found.next());
    }

    private OverdueSearch.Found list(List<String> types, SagaQuery query) {
        List<StoredSaga> found = sagas.list(types, query.status(), query.attention(), query.after(), query.limit() + 1);
        return OverdueSearch.Found.of(found, query.limit());
    }

    private List<String> types(@Nullable String type) {
        List<String> tracked = Stream.concat(
                        service.sagaTypes().trackedBy(service.name()).stream().map(Choreography::type),
                        service.sagaDefinitions().stream().map(SagaDefinition::name))
                .toList();
        if (type == null) {
            return tracked;
        }
        if (!tracked.contains(type)) {
            throw new UnknownSagaTypeException(type, service.name(), tracked);
        }
        return List.of(type);
    }

    /** Returns a saga; empty if this service does not track it, or its retention has passed. */
    public Optional<SagaDetails> inspect(String sagaId) {
        return sagas.find(sagaId).map(saga -> SagaDetails.of(saga, service.usualDurations(), clock.instant()));
    }

    /** Returns a Mermaid diagram of what happened in a saga. */
    public Optional<String> diagram(String sagaId) {
        return sagas.find(sagaId).map(saga -> SagaDiagrams.ofRun(saga.state()));
    }

    /** Returns the declared types, also those that another service tracks. */
    public List<SagaTypeDetails> types() {
        Stream<SagaTypeDetails> choreographed = service.sagaTypes().all().stream()
                .map(type -> SagaTypeDetails.of(type, service.sagaSettings().deadlineOf(type)));
        Stream<SagaTypeDetails> orchestrated =
                service.sagaDefinitions().stream().map(this::describe);
        return Stream.concat(choreographed, orchestrated).toList();
    }

    private SagaTypeDetails describe(SagaDefinition<?> definition) {
        Duration deadline = service.sagaSettings().deadlineOf(definition.name(), definition.findTimeout());
        return SagaTypeDetails.of(definition, service.name(), deadline);
    }

    /** Returns a Mermaid diagram of a declared type; empty if it is not declared here. */
    public Optional<String> typeDiagram(String type) {
        return service.sagaTypes().find(type).map(SagaDiagrams::ofType).or(() -> service.sagaDefinitions().stream()
                .filter(definition -> definition.name().equals(type))
                .findFirst()
                .map(SagaDefinition::diagram));
    }
}
