package io.holdfast.saga;

import io.holdfast.view.RowIndex;
import io.holdfast.view.View;
import java.time.Instant;

/** The view in which a service stores the sagas that it tracks. */
public final class SagaView {

    public static final String NAME = "sagas";

    private SagaView() {}

    /** Returns the view, whose index follows the settings: when a saga is judged, and when its row is purged. */
    public static View<SagaState> of(SagaSettings settings) {
        return new View<>(NAME, SagaState.class)
                .indexed(saga -> index(saga, settings))
                .withCache(SagaView::willChangeSoon);
    }

    /**
     * Returns whether an event is still to be recorded. The service records its own completing event at once, often before
     * its processor has read the events of other services that led to it.
     */
    private static boolean willChangeSoon(SagaState saga) {
        SagaFacts facts = saga.facts();
        SagaStatus status = facts.status();
        return !status.isFinal() || (status == SagaStatus.COMPLETED && facts.lackSteps());
    }

    private static RowIndex index(SagaState saga, SagaSettings settings) {
        SagaFacts facts = saga.facts();
        return new RowIndex(SagaTag.of(saga, facts), time(saga), saga.nextDue(settings.retention(), facts));
    }

    /** Returns the time by which sagas are listed: when the saga started, or when its first event occurred. */
    static Instant time(SagaState saga) {
        SagaStart start = saga.start();
        return start != null ? start.at() : saga.facts().firstFactAt().orElse(Instant.EPOCH);
    }
}
