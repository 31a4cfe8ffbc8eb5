package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.action.Action;
import io.holdfast.action.ActionStore;
import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationEffect;
import io.holdfast.action.StagedOperation;
import io.holdfast.action.execution.OpenItems;
import io.holdfast.action.execution.OperationRunner;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.PayloadCodec;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.AcceptedRestore;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.processing.stream.PositionReports;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.Accounts;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.ScriptedBreakers;
import io.holdfast.tck.harness.StagedActions;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.Wire;
import io.holdfast.wire.source.StreamSources;
import io.holdfast.wire.source.WireStreamSource;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One replica of the consuming service. */
final class SinkReplica {

    static final String PROCESSOR = "mirror";
    static final List<String> STREAMS = List.of(Accounts.STREAM, Mirror.REMARKS);
    static final List<String> COMPONENTS = List.of("ledger", "audit", "journal", "archive");

    /** Few segments, so that sequences share them and every segment has work. */
    private static final ProcessorSettings SETTINGS =
            ProcessorSettings.DEFAULT.segments(4).batch(8);

    /** No jitter, so that runs are reproducible. */
    private static final ResilienceSettings RESILIENCE =
            ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0));

    private final String owner;
    private final SinkVersion version;
    private final EngineUnderTest engine;
    private final ScriptedBreakers breakers;
    private final EventProcessor processor;
    private final ActionStore actions;
    private final OperationRunner runner;
    private final PositionReports reports;
    private final List<Future<?>> operations = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> replays = new ArrayList<>();
    private final List<BulkReplay> bulkReplays = new ArrayList<>();

    /** @param owner unique to this replica; a restarted replica gets a new one */
    SinkReplica(
            String owner,
            Store store,
            Wire wire,
            Clock clock,
            Mirror mirror,
            SinkVersion version,
            Step.RollOut settings,
            ScriptedPolicy.ReplicaPolicy policy) {
        this.owner = owner;
        this.version = version;
        this.breakers = mirror.breakers();
        this.engine = new EngineUnderTest(store, clock);
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(),
                store.deadLetterStore(),
                store.actionStore(),
                store.unitTransactions(),
                engine.committer());
        StreamSources sources = WireStreamSource.of(wire, "sink/" + PROCESSOR, clock);
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        StoreHarness.SERVICE, PROCESSOR, owner, stores, new PayloadCodec(), clock)
                .version(version.name())
                .settings(SETTINGS)
                .resilience(RESILIENCE, breakers, new BreakerProbes(RESILIENCE))
                .deadLetters(new QueueConfiguration().factory((queue, configured) -> settings.settings(queue, policy)))
                .deadLetterListener(policy::onChange);
        STREAMS.forEach(stream -> builder.reads(stream, sources));
        mirror.components(version).forEach(builder::calls);
        this.actions = store.actionStore();
        OpenItems openItems = new OpenItems(actions, clock, owner);
        this.processor = builder.openItems(openItems).build();
        this.runner = new OperationRunner(actions, openItems, clock, owner);
        runner.register(Action.Kind.RESET, this::reset);
        engine.tail().onLoss(processor::reload);
        this.reports = new PositionReports(
                store.tokenStore(),
                PROCESSOR,
                STREAMS.stream().collect(Collectors.toMap(stream -> stream, stream -> sources)));
    }

    /** Returns the id under which the letters of a component are stored. */
    static String id(String component) {
        return StoreHarness.SERVICE + "/" + PROCESSOR + "/" + component;
    }

    /** Returns the name of the component with this id. */
    static String name(String id) {
        return id.substring(id.lastIndexOf('/') + 1);
    }

    String owner() {
        return owner;
    }

    SinkVersion version() {
        return version;
    }

    /** Registers the handlers of this version, as a service does when it starts. Otherwise the first step does it. */
    void register() {
        processor.register();
    }

    void process() {
        processor.step();
        runner.step();
        reports.step();
    }

    void commit() {
        engine.commit();
    }

    /** Checks that the log has lost nothing, as a service does once per second. */
    void checkLog() {
        engine.tail().step();
    }

    /** Returns the streams that this replica cannot read further, with the reasons. */
    Map<String, String> stoppedStreams() {
        return processor.status().stoppedStreams();
    }

    /** @param position the position up to which the source is unchanged, or null if the replica determines it */
    CompletableFuture<AcceptedRestore> acceptRestore(String stream, @Nullable Long position) {
        CompletableFuture<AcceptedRestore> result =
                position == null ? processor.acceptRestore(stream) : processor.acceptRestore(stream, position);
        operations.add(result);
        return result;
    }

    /** Requests an operation, which later steps carry out. Whether it succeeds does not matter here. */
    void operate(Step.Operation operation, int segment) {
        operations.add(
                switch (operation) {
                    case SPLIT -> processor.split(segment);
                    case MERGE -> processor.merge(segment);
                    case RELEASE -> processor.release(segment);
                    case RESET -> throw new IllegalArgumentException("an operator stages it");
                });
    }

    /** Returns whether a requested operation is still running. */
    boolean isOperating() {
        return operations.stream().anyMatch(result -> !result.isDone());
    }

    /** Shuts down gracefully. If the store does not respond, the leases expire. */
    void release() {
        try {
            processor.release();
        } catch (RetryableException e) {
            // the process ends in any case
        }
    }

    /** Returns whether this replica has the component, or a stand-in for it. */
    boolean knows(String component) {
        return processor.components().stream().anyMatch(known -> known.name().equals(component));
    }

    SequencedDeadLetterQueue queue(String component) {
        return processor.deadLetterQueue(component);
    }

    /** Requests a replay, which later steps carry out. Does nothing if this replica does not know the component. */
    void replay(Step.ReplayMode mode, String component) {
        if (!knows(component)) {
            return;
        }
        SequencedDeadLetterProcessor letters = processor.deadLetterProcessor(component);
        switch (mode) {
            case ANY -> replays.add(letters.processAny());
            case ODD -> replays.add(letters.process(SinkReplica::isOdd));
            case ALL -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED));
            case ALL_ODD -> bulkReplays.add(letters.processAll(SinkReplica::isOdd, BulkReplaySettings.UNLIMITED));
            case CANARY_FIRST -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED.canaryFirst()));
            case SLOWLY -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED.perSecond(1)));
        }
    }

    void stage(Action action) {
        boolean isOfLetters = action.items().stream().anyMatch(LetterItem.class::isInstance);
        var unused = isOfLetters ? processor.stage(action) : runner.stage(action);
    }

    void stopAction(String action) {
        var unused = actions.stop(action, StagedActions.ANA, owner);
    }

    private CompletableFuture<OperationEffect> reset(StagedOperation operation) {
        return processor
                .reset(StartAt.BEGINNING, operation.settlement())
                .thenApply(generation -> OperationEffect.settled());
    }

    private static boolean isOdd(DeadLetter first) {
        return first.message().version() % 2 == 1;
    }

    void stopReplays() {
        bulkReplays.forEach(BulkReplay::stop);
    }

    /** Returns whether a requested replay is still running. */
    boolean isReplaying() {
        return replays.stream().anyMatch(result -> !result.isDone())
                || bulkReplays.stream().anyMatch(replay -> !replay.result().isDone());
    }

    /** Returns the progress of all bulk replays. */
    List<BulkProgress> progress() {
        return bulkReplays.stream().map(BulkReplay::progress).toList();
    }

    void pause(boolean paused) {
        try {
            if (paused) {
                processor.pause();
            } else {
                processor.resume();
            }
        } catch (RetryableException e) {
            // the caller gets the error and may or may not retry
        }
    }

    /** Returns the number of calls whose outcome a breaker waits for. */
    int openCalls() {
        return breakers.openCalls();
    }

    /** Returns the numbers of the segments that this replica believes it owns. */
    Set<Integer> claimed() {
        return processor.status().segments().stream()
                .filter(SegmentStatus::claimed)
                .map(SegmentStatus::number)
                .collect(Collectors.toSet());
    }

    /** Returns the problems that the processor reports. */
    List<String> problems() {
        return processor.status().problems();
    }
}
