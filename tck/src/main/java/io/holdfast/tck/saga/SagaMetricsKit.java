package io.holdfast.tck.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.commit.CommitPoint;
import io.holdfast.saga.tracking.TrackingProcessor;
import io.holdfast.tck.harness.Capability;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.wire.StartAt;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Contract of the metrics: each change counts once, after its commit, and no gauge is ever negative. */
@SuppressWarnings({"FutureReturnValueIgnored", "UnnecessaryLambda"
}) // ignored futures are not the subject of a test; a table of lambdas
public abstract class SagaMetricsKit extends SagaKit {

    private static final List<String> COUNTERS = List.of(
            "saga.started",
            "saga.completed",
            "saga.compensated",
            "saga.timedout",
            "saga.failed",
            "saga.late.steps",
            "saga.orphans");

    private static final List<String> GAUGES =
            List.of("saga.active", "saga.compensating", "saga.attention", "saga.suspended");

    private static final Consumer<SagaWorld> CONFIRM = world -> world.create("o-1");
    private static final Consumer<SagaWorld> REFUSE_STOCK = world -> {
        world.handlers.refuse(Trade.STOCK, "o-1");
        world.create("o-1");
    };
    private static final Consumer<SagaWorld> REFUSE_CHARGE = world -> {
        world.handlers.refuse(Trade.CHARGE, "o-1");
        world.create("o-1");
    };
    private static final Consumer<SagaWorld> WAIT = world -> {
        world.pause(world.participant(Trade.PAYMENT).processor());
        world.create("o-1");
    };
    private static final Consumer<SagaWorld> TIME_OUT = WAIT.andThen(world -> {
        world.settle();
        world.pass(SagaWorld.DEADLINE.plusSeconds(6));
    });
    private static final Consumer<SagaWorld> TIME_OUT_AND_RETURN = world -> {
        world.pause(world.participant(Trade.INVENTORY).processor());
        world.create("o-1");
        world.settle();
        world.pass(SagaWorld.DEADLINE.plusSeconds(6));
        world.resume(world.participant(Trade.INVENTORY).processor());
    };
    private static final Consumer<SagaWorld> PARK = world -> {
        world.handlers.fail("OrderCreated");
        world.create("o-1");
        world.settle();
        world.pass(SagaWorld.DEADLINE.plusSeconds(6));
    };

    /** What happens, and the metrics that are not 0 after it. */
    static Stream<Arguments> table() {
        return Stream.of(
                arguments("nothing", (Consumer<SagaWorld>) world -> {}, Map.of()),
                arguments("confirmed", CONFIRM, Map.of("saga.started", 1, "saga.completed", 1)),
                arguments("no stock", REFUSE_STOCK, Map.of("saga.started", 1, "saga.compensated", 1)),
                arguments("payment declined", REFUSE_CHARGE, Map.of("saga.started", 1, "saga.compensated", 1)),
                arguments("waiting", WAIT, Map.of("saga.started", 1, "saga.active", 1)),
                arguments(
                        "timed out",
                        TIME_OUT,
                        Map.of("saga.started", 1, "saga.timedout", 1, "saga.active", 1, "saga.compensating", 1)),
                arguments(
                        "compensated after a timeout",
                        TIME_OUT_AND_RETURN,
                        Map.of("saga.started", 1, "saga.timedout", 1, "saga.compensated", 1, "saga.late.steps", 1)),
                arguments("suspended", PARK, Map.of("saga.started", 1, "saga.active", 1, "saga.suspended", 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void countsEachChangeOnce(String name, Consumer<SagaWorld> work, Map<String, Integer> expected) {
        world().start();

        work.accept(world());
        world().settle();

        assertThat(metrics()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void countsNothingTwiceAfterAReset(String name, Consumer<SagaWorld> work, Map<String, Integer> expected) {
        world().start();
        work.accept(world());
        world().settle();

        world().tracker().processor(TrackingProcessor.NAME).reset(StartAt.BEGINNING);
        world().settle();
        world().settle();

        assertThat(metrics()).isEqualTo(expected);
    }

    @Test
    void countsNothingBeforeTheCommit() {
        require(Capability.CRASH_POINTS);
        world().start();
        harness().crashPoints().crashAt(new Moment(CommitPoint.COMMIT, false));

        boolean crashed = world().crash(() -> world().create("o-1"));

        assertThat(crashed).isTrue();
        assertThat(metrics()).isEmpty();
    }

    @Test
    void measuresHowLongASagaItsStepsAndItsCompensationTake() {
        world().start();
        world().pause(world().participant(Trade.PAYMENT).processor());
        world().create("o-1");
        world().handlers.refuse(Trade.CHARGE, "o-2");
        world().create("o-2");
        world().settle();
        world().pass(Duration.ofSeconds(10));
        world().resume(world().participant(Trade.PAYMENT).processor());

        assertThat(timer("saga.duration").count()).isEqualTo(2);
        assertThat(timer("saga.compensation.duration").count()).isEqualTo(1);
        assertThat(world().metrics
                        .get("saga.step.duration")
                        .tag("step", "PaymentProcessed")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isGreaterThanOrEqualTo(10);
    }

    private Timer timer(String name) {
        return world().metrics.get(name).tag("sagaType", Trade.SAGA_TYPE).timer();
    }

    /** Returns the metrics that are not 0. */
    private Map<String, Integer> metrics() {
        Map<String, Integer> values = new LinkedHashMap<>();
        COUNTERS.forEach(name -> values.put(name, (int) count(name)));
        GAUGES.forEach(name -> values.put(name, (int) gauge(name)));
        assertThat(values.values()).allSatisfy(value -> assertThat(value).isNotNegative());
        values.values().removeIf(value -> value == 0);
        return new TreeMap<>(values);
    }
}
