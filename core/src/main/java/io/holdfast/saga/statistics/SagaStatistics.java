package io.holdfast.saga.statistics;

import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.RowChange;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.UsualDuration;
import io.holdfast.saga.UsualDurations;
import io.holdfast.saga.UsualDurations.Step;
import io.holdfast.view.View;
import io.holdfast.view.ViewRows;
import io.holdfast.view.ViewStore;
import io.holdfast.worker.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures on this replica how long sagas await their events, adds that every ten seconds to what all replicas have
 * measured, and keeps a copy of the sum.
 *
 * <p>The counts are approximate: a replica that crashes loses what it has not stored, and a commit whose response was
 * lost may count twice.
 *
 * <p>Thread-safe, except for {@link #step}.
 */
public final class SagaStatistics {

    private static final Logger log = LoggerFactory.getLogger(SagaStatistics.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final String service;
    private final List<String> types;
    private final GroupCommitter committer;
    private final ViewRows rows;
    private final Supplier<Instant> storeTime;
    private final OverdueSagas overdue;
    private final CollectedDurations collected = new CollectedDurations();
    private volatile UsualDurations usual = UsualDurations.NONE;
    private boolean failed;

    /** @param types the saga types that the service tracks */
    public SagaStatistics(
            String service,
            Collection<String> types,
            GroupCommitter committer,
            ViewStore views,
            PayloadCodec codec,
            Clocks clocks) {
        this.service = service;
        this.types = List.copyOf(types);
        this.committer = committer;
        this.rows = new ViewRows(views, codec);
        this.storeTime = clocks.store;
        this.overdue = new OverdueSagas(new SagaStateStore(views, codec), types, clocks.wall);
    }

    /**
     * @param wall the time of events, by which a saga waits
     * @param store the time that all replicas share, by which the counts are halved
     */
    public record Clocks(Clock wall, Supplier<Instant> store) {}

    /** Measures the sagas that this replica commits, and registers the gauge of overdue sagas. */
    public void listen(View<SagaState> sagas, MeterRegistry registry) {
        committer.onRows(sagas, this::changed);
        overdue.register(registry);
    }

    /** Runs {@link #step} on an own thread, until the worker is closed. */
    public Worker start() {
        return Worker.start("holdfast-saga-statistics-" + service, this::step);
    }

    /** Returns how long sagas usually await their events, as all replicas measured it by the last step. */
    public UsualDurations usual() {
        return usual;
    }

    private void changed(RowChange<SagaState> change) {
        SagaState saga = change.after();
        if (saga != null) {
            StepDurations.between(change.before(), saga)
                    .forEach((measured, duration) -> collected.add(
                            new Step(saga.sagaType(), measured.step(), measured.end() != StepDurations.End.DONE),
                            duration));
        }
    }

    /**
     * Adds what this replica has measured, reads what all replicas have measured, and counts the overdue sagas.
     *
     * @return the time until the next step
     */
    public Duration step() {
        merge();
        try {
            usual = read();
            overdue.count(usual);
            failed = false;
        } catch (RuntimeException e) {
            overdue.forget();
            if (!failed) {
                log.warn(
                        "Saga statistics of {} are out of date, retrying every {}: {}",
                        service,
                        INTERVAL,
                        e.toString());
            }
            failed = true;
        }
        return INTERVAL;
    }

    /** Submits what this replica has measured, without waiting for the commit. If it fails, the next call repeats it. */
    public void merge() {
        Map<Step, DurationHistogram> measured = collected.drain();
        if (!measured.isEmpty()) {
            var unused = committer.submit(CommitUnit.of(part(measured))).whenComplete((outcome, failure) -> {
                if (!(outcome instanceof UnitOutcome.Committed)) {
                    collected.addAll(measured);
                    Object cause = failure == null ? outcome : failure;
                    log.debug("Saga statistics of {} were not stored, retrying in {}: {}", service, INTERVAL, cause);
                }
            });
        }
    }

    private Part part(Map<Step, DurationHistogram> measured) {
        Instant now = storeTime.get();
        List<RowUpdate<?>> updates = measured.keySet().stream()
                .map(Step::sagaType)
                .distinct()
                .<RowUpdate<?>>map(type -> new RowUpdate<>(TypeStatistics.VIEW, type, row -> orEmpty(row, now)
                        .halvedDaily(now)
                        .plus(type, measured)))
                .toList();
        PartId id = new PartId(EventIds.random(now), service + "/saga-statistics");
        return new Part(id, Metadata.none(), List.of(), updates, false);
    }

    private static TypeStatistics orEmpty(@Nullable TypeStatistics row, Instant now) {
        return Objects.requireNonNullElseGet(row, () -> TypeStatistics.empty(now));
    }

    private UsualDurations read() {
        Map<Step, UsualDuration> byStep = new HashMap<>();
        types.forEach(type -> rows.find(TypeStatistics.VIEW, type)
                .ifPresent(statistics -> statistics.forEachUsual(type, byStep::put)));
        return new UsualDurations(byStep);
    }
}
