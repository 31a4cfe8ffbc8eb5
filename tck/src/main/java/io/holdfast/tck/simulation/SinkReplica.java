package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.deadletter.BulkProgress;
import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.PayloadCodec;
import io.holdfast.processing.BreakerProbes;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.PositionReports;
import io.holdfast.processing.ProcessorSettings;
import io.holdfast.processing.ProcessorStores;
import io.holdfast.processing.SegmentStatus;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.Store;
import io.holdfast.tck.Accounts;
import io.holdfast.tck.EngineUnderTest;
import io.holdfast.tck.StoreHarness;
import io.holdfast.wire.StartAt;
import io.holdfast.wire.StreamSources;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireStreamSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** One process of the reading service. */
final class SinkReplica {

    static final String PROCESSOR = "mirror";
    static final List<String> STREAMS = List.of(Accounts.STREAM, Mirror.REMARKS);
    static final List<String> COMPONENTS = List.of("ledger", "audit", "journal");

    /** Few, so that sequences share them and every one has work. */
    private static final ProcessorSettings SETTINGS =
            ProcessorSettings.DEFAULT.segments(4).batch(8);

    /** Without jitter, so that runs repeat. */
    private static final ResilienceSettings RESILIENCE =
            ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0));

    private final String owner;
    private final EngineUnderTest engine;
    private final EventProcessor processor;
    private final PositionReports reports;
    private final List<Future<?>> operations = new ArrayList<>();
    private final List<CompletableFuture<Boolean>> replays = new ArrayList<>();
    private final List<BulkReplay> bulkReplays = new ArrayList<>();

    /** @param owner unique to this process; one that is started again is another */
    SinkReplica(
            String owner,
            StoreHarness harness,
            StoreFaults trouble,
            Wire wire,
            Mirror mirror,
            Step.RollOut version,
            ScriptedPolicy.ReplicaPolicy judge) {
        this.owner = owner;
        Store store = trouble.wrap(harness.store());
        this.engine = new EngineUnderTest(store, harness.clock());
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), store.deadLetterStore(), store.unitTransactions(), engine.committer());
        StreamSources sources = WireStreamSource.of(wire, "sink/" + PROCESSOR);
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        StoreHarness.SERVICE, PROCESSOR, owner, stores, new PayloadCodec(), harness.clock())
                .settings(SETTINGS)
                .resilience(RESILIENCE, mirror.breakers(), new BreakerProbes(RESILIENCE))
                .deadLetters(new QueueConfiguration().factory((queue, said) -> version.settings(queue, judge)))
                .deadLetterListener(judge::onChange);
        STREAMS.forEach(stream -> builder.reads(stream, sources));
        mirror.components().forEach(builder::calls);
        this.processor = builder.build();
        this.reports = new PositionReports(
                store.tokenStore(),
                PROCESSOR,
                STREAMS.stream().collect(Collectors.toMap(stream -> stream, stream -> sources)));
    }

    /** What the letters of a component are kept under. */
    static String id(String component) {
        return StoreHarness.SERVICE + "/" + PROCESSOR + "/" + component;
    }

    String owner() {
        return owner;
    }

    void process() {
        processor.step();
        reports.step();
    }

    void commit() {
        engine.commit();
    }

    /** Asks for an operation, which the next steps carry out; whether it succeeds is nobody's matter here. */
    void operate(Step.Operation operation, int segment) {
        operations.add(
                switch (operation) {
                    case SPLIT -> processor.split(segment);
                    case MERGE -> processor.merge(segment);
                    case RELEASE -> processor.release(segment);
                    case RESET -> processor.reset(StartAt.BEGINNING);
                });
    }

    /** Whether an operation that it was asked for has not ended. */
    boolean isOperating() {
        return operations.stream().anyMatch(answer -> !answer.isDone());
    }

    SequencedDeadLetterQueue queue(String component) {
        return processor.deadLetterQueue(component);
    }

    /** Asks for parked letters to be processed; the next steps do it. */
    void replay(Step.ReplayMode choice, String component) {
        SequencedDeadLetterProcessor letters = processor.deadLetterProcessor(component);
        switch (choice) {
            case ANY -> replays.add(letters.processAny());
            case ODD -> replays.add(letters.process(SinkReplica::isOdd));
            case ALL -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED));
            case ALL_ODD -> bulkReplays.add(letters.processAll(SinkReplica::isOdd, BulkReplaySettings.UNLIMITED));
            case CANARY_FIRST -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED.canaryFirst()));
            case SLOWLY -> bulkReplays.add(letters.processAll(BulkReplaySettings.UNLIMITED.perSecond(1)));
        }
    }

    private static boolean isOdd(DeadLetter head) {
        return head.message().version() % 2 == 1;
    }

    void stopReplays() {
        bulkReplays.forEach(BulkReplay::stop);
    }

    /** Whether somebody waits for letters to be processed. */
    boolean isReplaying() {
        return replays.stream().anyMatch(answer -> !answer.isDone())
                || bulkReplays.stream().anyMatch(replay -> !replay.result().isDone());
    }

    /** How far all that was asked for has come. */
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
            // whoever asked for it is told, and may or may not ask again
        }
    }

    /** The numbers of the segments that it works on, as far as it knows. */
    Set<Integer> claimed() {
        return processor.status().segments().stream()
                .filter(SegmentStatus::claimed)
                .map(SegmentStatus::number)
                .collect(Collectors.toSet());
    }

    /** What it says is wrong with it. */
    List<String> problems() {
        return processor.status().problems();
    }
}
