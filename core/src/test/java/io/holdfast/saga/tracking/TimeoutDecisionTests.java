package io.holdfast.saga.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.DecisionContext;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaEvent;
import io.holdfast.saga.SagaSettings;
import io.holdfast.saga.SagaState;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A saga that has changed between the query and the judgement. */
class TimeoutDecisionTests {

    private static final Instant T = Instant.parse("2026-01-01T10:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<SagaState> written = new ArrayList<>();
    private int cancellations;

    private Choreography type() {
        CompensationRegistry registry = new CompensationRegistry();
        registry.saga("Fulfillment")
                .streams("orders", "stock")
                .register("Created", "Cancelled", "order")
                .register("Reserved", "Released", "stock")
                .failedBy("Refused")
                .completedBy("Confirmed", "order")
                .cancelBy((saga, decision) -> cancellations++);
        return registry.choreographies().find("Fulfillment").orElseThrow();
    }

    private SagaState after(String... events) {
        SagaState saga = null;
        for (String event : events) {
            SagaEvent recorded = new SagaEvent("s-1", event, new UUID(0, event.hashCode()), "o-1", null, T, null);
            saga = type().record(saga, recorded, LIMIT);
        }
        return Objects.requireNonNull(saga);
    }

    private void judge(SagaState newest, Instant now) {
        judge(newest, now, Set.of());
    }

    private void judge(SagaState newest, Instant now, Set<String> silent) {
        DecisionContext context = (DecisionContext) Proxy.newProxyInstance(
                DecisionContext.class.getClassLoader(),
                new Class<?>[] {DecisionContext.class},
                (proxy, method, arguments) -> call(method.getName(), arguments, newest));
        JudgedSagas judged = new ChoreographedSagas("order", type(), SagaSettings.DEFAULT, Set.of());
        new TimeoutDecision("s-1", List.of(), judged, SagaSettings.DEFAULT, new ParkedSagas(Map.of(), silent), now)
                .decide(context);
    }

    private @Nullable Object call(String method, Object[] arguments, SagaState newest) {
        if (method.equals("put")) {
            written.add((SagaState) arguments[2]);
            return null;
        }
        return written.isEmpty() ? newest : written.get(written.size() - 1);
    }

    @Test
    void isJudgedOnceItsDeadlineHasPassed() {
        judge(after("Created"), T.plus(LIMIT));

        assertThat(cancellations).isEqualTo(1);
        assertThat(written).isNotEmpty();
    }

    @Test
    void isLeftAloneIfItBeganToCompensate() {
        judge(after("Created", "Refused"), T.plus(LIMIT));

        assertThat(cancellations).isZero();
        assertThat(written).isEmpty();
    }

    @Test
    void isLeftAloneIfItCompleted() {
        judge(after("Created", "Reserved", "Confirmed"), T.plus(LIMIT));

        assertThat(cancellations).isZero();
        assertThat(written).isEmpty();
    }

    @Test
    void isLeftAloneIfAnotherReplicaGaveItMoreTime() {
        SagaState resumed =
                after("Created").suspended(List.of("letter"), T.plus(LIMIT)).resumed(T.plus(LIMIT), LIMIT);

        judge(resumed, T.plus(LIMIT));

        assertThat(cancellations).isZero();
        assertThat(written).isEmpty();
    }

    @Test
    void staysSuspendedWhileTheServiceThatNamedItsLetterIsSilent() {
        SagaState suspended = after("Created").suspended(List.of("stock/own/reserving letter"), T.plus(LIMIT));
        Instant recheck = T.plus(LIMIT).plusSeconds(15);

        judge(suspended, recheck, Set.of("stock"));

        assertThat(cancellations).isZero();
        assertThat(written).singleElement().satisfies(saga -> assertThat(saga.deadline())
                .satisfies(deadline -> assertThat(deadline.suspended()).isNotNull()));
    }

    @Test
    void resumesIfAnotherServiceIsSilent() {
        SagaState suspended = after("Created").suspended(List.of("stock/own/reserving letter"), T.plus(LIMIT));
        Instant recheck = T.plus(LIMIT).plusSeconds(15);

        judge(suspended, recheck, Set.of("payment"));

        assertThat(written).singleElement().satisfies(saga -> assertThat(saga.deadline())
                .satisfies(deadline -> {
                    assertThat(deadline.suspended()).isNull();
                    assertThat(deadline.at()).isEqualTo(recheck.plus(LIMIT));
                }));
    }
}
