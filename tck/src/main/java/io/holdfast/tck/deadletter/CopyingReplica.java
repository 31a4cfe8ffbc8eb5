package io.holdfast.tck.deadletter;

import io.holdfast.commit.CommitStore;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.PayloadCodec;
import io.holdfast.parking.BreakerProbes;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.resilience.breaker.Breakers;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.LetterCalls;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.wire.source.LogStreamSource;
import java.time.Clock;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * One replica of a service with a processor of the stream {@code input}. It has no threads, and the test drives it step
 * by step. Dropping the object simulates a crash.
 */
final class CopyingReplica {

    static final String PROCESSOR = "copier";

    /** No jitter, so that runs are reproducible. */
    static final ResilienceSettings RESILIENCE = ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0));

    private final EngineUnderTest engine;
    private final LetterCalls calls = new LetterCalls();
    private final EventProcessor processor;

    CopyingReplica(Store store, Clock clock, UnaryOperator<EventProcessorBuilder> more) {
        this(store, store.commitStore(), clock, more);
    }

    /** @param commitStore the store's own commit store, or a decorator of it */
    CopyingReplica(Store store, CommitStore commitStore, Clock clock, UnaryOperator<EventProcessorBuilder> more) {
        this.engine = new EngineUnderTest(store, commitStore, clock, CommitterSettings.DEFAULT_QUEUE);
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(),
                calls.wrap(store.deadLetterStore()),
                store.actionStore(),
                store.unitTransactions(),
                engine.committer());
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        StoreHarness.SERVICE,
                        PROCESSOR,
                        UUID.randomUUID().toString(),
                        stores,
                        new PayloadCodec(),
                        clock)
                .settings(ProcessorSettings.DEFAULT.segments(1))
                .ownLog(store.eventLog())
                .resilience(RESILIENCE, Breakers.NONE, new BreakerProbes(RESILIENCE))
                .reads(
                        DeadLetterEngineKit.INPUT.stream(),
                        LogStreamSource.of(
                                store.eventLog(), store.consumerGroups(), StoreHarness.SERVICE + "/" + PROCESSOR));
        this.processor = more.apply(builder).build();
    }

    EventProcessor processor() {
        return processor;
    }

    LetterCalls calls() {
        return calls;
    }

    /** Replays parked events of the copying component. */
    SequencedDeadLetterProcessor letters() {
        return processor.deadLetterProcessor(DeadLetterEngineKit.COPIES);
    }

    SequencedDeadLetterQueue queue() {
        return processor.deadLetterQueue(DeadLetterEngineKit.COPIES);
    }

    /** Runs the first half of a round: one step of the processor. */
    void step() {
        processor.step();
    }

    /** Runs the second half: commits the submitted units. */
    void commit() {
        engine.commit();
    }
}
