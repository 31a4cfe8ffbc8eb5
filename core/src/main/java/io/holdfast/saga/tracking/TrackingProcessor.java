package io.holdfast.saga.tracking;

import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaView;
import io.holdfast.view.View;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Records the events of a saga's streams. Events that a replica of this service has recorded when it appended them are
 * skipped; those of a version that did not know the saga type are not lost.
 */
public final class TrackingProcessor {

    /** The name of the processor. */
    public static final String NAME = "saga-tracking";

    /** The processor writes few rows; more segments would only commit more often. */
    public static final int SEGMENTS = 2;

    /** The facts of other services need not be recorded immediately; several facts of a saga share one write. */
    public static final Duration COMMIT_INTERVAL = Duration.ofMillis(50);

    /**
     * How far before the first start of the service the processor starts to read. The clocks of services differ, and no
     * event of the first saga may be missed.
     */
    public static final Duration START_MARGIN = Duration.ofMinutes(1);

    private static final String COMPONENT = "facts";

    private TrackingProcessor() {}

    /** Returns the streams that the processor reads: those of the tracked sagas. */
    public static Set<String> streams(Collection<Choreography> tracked) {
        Set<String> streams = new LinkedHashSet<>();
        tracked.forEach(type -> streams.addAll(type.streams()));
        return streams;
    }

    public static Component component(Collection<Choreography> tracked, SagaRecorder recorder, SagaSettings settings) {
        View<SagaState> view = SagaView.of(settings);
        Set<String> eventTypes = new LinkedHashSet<>();
        tracked.forEach(type -> eventTypes.addAll(type.eventTypes()));
        Component.Builder builder = Component.named(COMPONENT).resettable();
        eventTypes.forEach(type -> builder.on(type, (payload, context) -> record(context, recorder, view)));
        return builder.build();
    }

    private static void record(EventContext context, SagaRecorder recorder, View<SagaState> view) {
        EventMessage event = context.event();
        if (recorder.findTracked(event.metadata()).isPresent() && !recorder.hasRecorded(event)) {
            String saga = event.metadata().sagaId().orElseThrow();
            context.update(view, saga, row -> recorder.record(row, event));
        }
    }
}
