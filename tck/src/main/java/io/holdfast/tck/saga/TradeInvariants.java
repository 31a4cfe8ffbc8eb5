package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.EventMessage;
import io.holdfast.saga.SagaFact;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.SagaStatus;
import io.holdfast.saga.SagaStepRecord;
import io.holdfast.saga.SagaView;
import io.holdfast.saga.StoredSaga;
import io.holdfast.view.RowKey;
import io.holdfast.view.ViewStore;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What holds for every saga of a simulated trade: after each step, after each judgement, and at the end. */
final class TradeInvariants {

    private static final Map<SagaStatus, Set<SagaStatus>> NEXT = Map.of(
            SagaStatus.PLACEHOLDER,
                    EnumSet.of(
                            SagaStatus.STARTED,
                            SagaStatus.IN_PROGRESS,
                            SagaStatus.COMPENSATING,
                            SagaStatus.COMPENSATED,
                            SagaStatus.COMPLETED),
            SagaStatus.STARTED,
                    EnumSet.of(
                            SagaStatus.IN_PROGRESS,
                            SagaStatus.COMPENSATING,
                            SagaStatus.COMPENSATED,
                            SagaStatus.COMPLETED),
            SagaStatus.IN_PROGRESS, EnumSet.of(SagaStatus.COMPENSATING, SagaStatus.COMPENSATED, SagaStatus.COMPLETED),
            SagaStatus.COMPENSATING, EnumSet.of(SagaStatus.COMPENSATED));

    private final SimulatedTrade world;
    private final ViewStore views;
    private final SagaStateStore sagas;
    private final TradeLog log = new TradeLog();
    private final Map<String, SagaState> rows = new TreeMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private final Set<String> suspended = new TreeSet<>();

    TradeInvariants(SimulatedTrade world) {
        this.world = world;
        this.views = world.service(Trade.TRACKER).store().viewStore();
        this.sagas = new SagaStateStore(views, ServiceReplica.CODEC);
    }

    /** Checks what must hold after every step. */
    void check() {
        world.services().forEach(service -> log.read(service.name(), service.store()));
        log.orders().forEach(this::checkRow);
        checkMetrics();
    }

    private void checkRow(String order) {
        Optional<SagaState> found = find(order);
        SagaState before = rows.get(order);
        if (found.isEmpty()) {
            assertThat(before).as("the row of order %s that is gone", order).isNull();
        } else {
            checkStatus(order, before, found.get());
            checkFacts(order, found.get());
            checkEffects(order, found.get());
            checkAttention(order, found.get());
            rows.put(order, found.get());
        }
        checkRecordedAtOnce(order, found);
        found.filter(TradeInvariants::isSuspended).ifPresent(saga -> suspended.add(order));
    }

    /** Decodes only what has changed. */
    private Optional<SagaState> find(String order) {
        return views.find(List.of(new RowKey(SagaView.NAME, SagaWorld.saga(order)))).stream()
                .filter(row -> row.value() != null)
                .findFirst()
                .flatMap(row -> Objects.equals(versions.put(order, row.version()), row.version())
                        ? Optional.ofNullable(rows.get(order))
                        : sagas.find(SagaWorld.saga(order)).map(StoredSaga::state));
    }

    private static void checkStatus(String order, @Nullable SagaState before, SagaState after) {
        if (before != null && before.status() != after.status()) {
            assertThat(NEXT.getOrDefault(before.status(), Set.of()))
                    .as("status of %s after %s", order, before)
                    .contains(after.status());
        }
    }

    /** Every recorded fact is an event that was committed. */
    private void checkFacts(String order, SagaState saga) {
        Set<UUID> committed = log.events(order).stream().map(EventMessage::id).collect(Collectors.toSet());
        saga.stepsInOrder().stream().flatMap(TradeInvariants::facts).forEach(fact -> assertThat(committed)
                .as("events of order %s, of which %s is recorded", order, fact)
                .contains(fact.eventId()));
    }

    private static Stream<SagaFact> facts(SagaStepRecord step) {
        return Stream.of(step.done(), step.failed(), step.undone(), step.withdrawn())
                .filter(Objects::nonNull);
    }

    /** An event that the tracker has recorded when it appended it is in the row. */
    private void checkRecordedAtOnce(String order, Optional<SagaState> saga) {
        Set<UUID> recorded = saga.stream()
                .flatMap(found -> found.stepsInOrder().stream())
                .flatMap(TradeInvariants::facts)
                .map(SagaFact::eventId)
                .collect(Collectors.toSet());
        log.events(order).stream()
                .filter(event -> event.stream().equals(Trade.ORDERS))
                .filter(event -> event.metadata().stepNumber().isPresent())
                .forEach(event -> assertThat(recorded)
                        .as("facts of order %s, without %s", order, event.type())
                        .contains(event.id()));
    }

    private void checkEffects(String order, SagaState saga) {
        switch (saga.status()) {
            case COMPLETED -> log.checkAllDone(order);
            case COMPENSATED -> log.checkAllUndone(order);
            default -> assertThat(saga.expected()).as("what %s waits for", saga).isNotEmpty();
        }
        if (saga.milestones().timedOut() != null) {
            assertThat(log.types(order))
                    .as("events of %s, which timed out", order)
                    .contains("OrderCancelled");
        }
    }

    /** No handler of the trade succeeds after its undo, so only a judgement without effect needs an operator. */
    private void checkAttention(String order, SagaState saga) {
        saga.attentionReason().ifPresent(reason -> {
            boolean failed = world.hasFailedCancellation(saga.sagaId()) && reason.contains("as scripted");
            boolean unseen = world.hasVersionWithoutSagas() && reason.contains("appended nothing");
            assertThat(failed || unseen)
                    .as("order %s needs attention: %s", order, reason)
                    .isTrue();
        });
    }

    private void checkMetrics() {
        assertThat(count("started")).as("saga.started").isLessThanOrEqualTo(rows.size());
        assertThat(count("completed")).as("saga.completed").isLessThanOrEqualTo(count(SagaStatus.COMPLETED));
        assertThat(count("compensated")).as("saga.compensated").isLessThanOrEqualTo(count(SagaStatus.COMPENSATED));
        assertThat(count("timedout")).as("saga.timedout").isLessThanOrEqualTo(timedOut());
        assertThat((long) world.metrics
                        .get("saga.active")
                        .tag("sagaType", Trade.SAGA_TYPE)
                        .gauge()
                        .value())
                .as("saga.active")
                .isEqualTo(countRows(saga -> saga.status().isActive()));
    }

    private long count(String counter) {
        return (long) world.metrics
                .counter("saga." + counter, "sagaType", Trade.SAGA_TYPE)
                .count();
    }

    private long count(SagaStatus status) {
        return countRows(saga -> saga.status() == status);
    }

    private long countRows(Predicate<SagaState> which) {
        return rows.values().stream().filter(which).count();
    }

    long timedOut() {
        return countRows(saga -> saga.milestones().timedOut() != null);
    }

    private static boolean isSuspended(SagaState saga) {
        return saga.deadline() != null && saga.deadline().suspended() != null;
    }

    /**
     * Determines which sagas must not time out now.
     *
     * @return checks that they have not
     */
    Runnable judgement(ServiceReplica tracker) {
        check();
        Protection protection = new Protection(world, log);
        List<String> safe = openOrders(protection::covers);
        List<String> silent = openOrders((order, saga) -> protection.staysSuspended(saga));
        return () -> {
            check();
            safe.forEach(order -> assertThat(row(order).milestones().timedOut())
                    .as("timeout of order %s, which has letters or unread events", order)
                    .isNull());
            silent.forEach(order -> assertThat(isSuspended(row(order)))
                    .as("suspension of order %s, which has a letter of a service that is down", order)
                    .isTrue());
        };
    }

    private List<String> openOrders(BiPredicate<String, SagaState> which) {
        return rows.entrySet().stream()
                .filter(row -> row.getValue().status().isOpen() && which.test(row.getKey(), row.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private SagaState row(String order) {
        return Objects.requireNonNull(rows.get(order));
    }

    /** Returns whether every saga has ended, or waits visibly because an operator has discarded a letter. */
    boolean isSettled() {
        List<String> ids = log.orders().stream().map(SagaWorld::saga).toList();
        boolean hasLetters = world.services().stream().anyMatch(service -> !service.store()
                .deadLetterStore()
                .findSagaLetters(ids, 1)
                .isEmpty());
        return !hasLetters
                && log.orders().stream().allMatch(order -> Optional.ofNullable(rows.get(order))
                        .filter(saga -> saga.status().isFinal() || waitsForDiscarded(order, saga))
                        .isPresent());
    }

    private boolean waitsForDiscarded(String order, SagaState saga) {
        return world.isDiscarded(order) && saga.status() == SagaStatus.COMPENSATING;
    }

    /** Checks the end of a run, and returns how its sagas ended. */
    Map<String, Integer> checkEnd() {
        check();
        if (!world.hasTrackerCrashed()) {
            assertThat(count("started")).as("saga.started").isEqualTo(rows.size());
            assertThat(count("completed")).as("saga.completed").isEqualTo(count(SagaStatus.COMPLETED));
            assertThat(count("compensated")).as("saga.compensated").isEqualTo(count(SagaStatus.COMPENSATED));
            assertThat(count("timedout")).as("saga.timedout").isEqualTo(timedOut());
        }
        assertThat(sagas.list(Trade.types(), null, null, null, 1_000))
                .as("listed sagas")
                .hasSameSizeAs(rows.keySet());
        Map<String, Integer> outcomes = new TreeMap<>();
        rows.values().forEach(saga -> outcomes.merge(saga.status().name(), 1, Integer::sum));
        outcomes.put("timed out", (int) timedOut());
        outcomes.put("suspended", suspended.size());
        outcomes.put("attention", (int) countRows(saga -> saga.attentionReason().isPresent()));
        return outcomes;
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        log.orders().forEach(order -> text.append("\n  ")
                .append(order)
                .append(' ')
                .append(log.types(order))
                .append(' ')
                .append(rows.get(order)));
        return text.toString();
    }
}
