package io.holdfast.tck.simulation;

import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.processing.EventProcessor;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.PositionReports;
import io.holdfast.tck.Accounts;
import io.holdfast.tck.EngineUnderTest;
import io.holdfast.tck.StoreHarness;
import io.holdfast.token.Segment;
import io.holdfast.token.Token;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireStreamSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/** One process of the reading service. */
final class SinkReplica {

    private static final String PROCESSOR = "mirror";
    private static final List<String> STREAMS = List.of(Accounts.STREAM, Mirror.REMARKS);
    private static final int BATCH = 8;

    private final EngineUnderTest engine;
    private final EventProcessor processor;
    private final PositionReports reports;

    SinkReplica(StoreHarness harness, Wire wire, Mirror mirror) {
        this.engine = new EngineUnderTest(harness.store(), harness.clock());
        EventProcessorBuilder builder = new EventProcessorBuilder(
                        StoreHarness.SERVICE,
                        PROCESSOR,
                        "sink-" + UUID.randomUUID(),
                        harness.store().tokenStore(),
                        engine.committer(),
                        new PayloadCodec(),
                        harness.clock())
                .batch(BATCH);
        WireStreamSource source = new WireStreamSource(wire, "sink/" + PROCESSOR);
        STREAMS.forEach(stream -> builder.reads(stream, source));
        mirror.components().forEach(builder::calls);
        this.processor = builder.build();
        this.reports = new PositionReports(
                harness.store().tokenStore(),
                PROCESSOR,
                STREAMS.stream().collect(Collectors.toMap(stream -> stream, stream -> source)));
    }

    void process() {
        processor.step();
        reports.step();
    }

    void commit() {
        engine.commit();
    }

    /** Whether the stored token stands at the heads of the source. */
    static boolean hasReached(StoreHarness sink, EventLog source) {
        Map<String, StreamPosition> positions = sink.store()
                .tokenStore()
                .find(new Segment(PROCESSOR, 0))
                .map(Token::positions)
                .orElse(Map.of());
        return STREAMS.stream().allMatch(stream -> {
            StreamPosition position = positions.get(stream);
            return position != null
                    && position.position() == source.head(stream).position();
        });
    }
}
