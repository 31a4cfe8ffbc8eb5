package io.holdfast.tck;

import io.holdfast.commit.CommitStore;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.PayloadCodec;
import io.holdfast.processing.BreakerProbes;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.ProcessorSettings;
import io.holdfast.processing.ProcessorStores;
import io.holdfast.resilience.Breakers;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.resilience.RetryOverrides;
import io.holdfast.service.Store;
import io.holdfast.wire.LogStreamSource;
import java.time.Clock;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * One process of a service with a processor of the stream {@code input}, without threads: it does what it is told, step by step.
 * Throwing it away is a crash.
 */
final class CopyingReplica {

    static final String PROCESSOR = "copier";

    /** Without jitter, so that runs repeat. */
    static final ResilienceSettings RESILIENCE = ResilienceSettings.DEFAULT.retry(RetryOverrides.NONE.jitter(0));

    private final EngineUnderTest engine;
    private final LetterCalls calls = new LetterCalls();
    private final EventProcessor processor;

    CopyingReplica(Store store, Clock clock, UnaryOperator<EventProcessorBuilder> more) {
        this(store, store.commitStore(), clock, more);
    }

    /** @param commitStore the store's own, or something around it */
    CopyingReplica(Store store, CommitStore commitStore, Clock clock, UnaryOperator<EventProcessorBuilder> more) {
        this.engine = new EngineUnderTest(store, commitStore, clock, CommitterSettings.DEFAULT_QUEUE);
        ProcessorStores stores = new ProcessorStores(
                store.tokenStore(), calls.wrap(store.deadLetterStore()), store.unitTransactions(), engine.committer());
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        StoreHarness.SERVICE,
                        PROCESSOR,
                        UUID.randomUUID().toString(),
                        stores,
                        new PayloadCodec(),
                        clock)
                .settings(ProcessorSettings.DEFAULT.segments(1))
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

    /** What processes parked events of the copying component again. */
    SequencedDeadLetterProcessor letters() {
        return processor.deadLetterProcessor(DeadLetterEngineKit.COPIES);
    }

    SequencedDeadLetterQueue queue() {
        return processor.deadLetterQueue(DeadLetterEngineKit.COPIES);
    }

    /** The first half of a round: the processor does what it can. */
    void step() {
        processor.step();
    }

    /** The second half: what it has submitted is committed. */
    void commit() {
        engine.commit();
    }
}
