package io.holdfast.tck.saga;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.saga.TradeStep.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** Creates random runs: mostly work and short times, with occasional operations and faults. */
final class TradeSteps {

    private static final List<String> SERVICES = List.of(Trade.TRACKER, Trade.INVENTORY, Trade.PAYMENT);
    private static final List<String> STREAMS = List.of(Trade.ORDERS, Trade.RESERVATIONS, Trade.PAYMENTS);
    private static final Map<String, List<String>> HANDLED = Map.of(
            Trade.TRACKER, List.of("PaymentProcessed", "StockReservationFailed", "PaymentFailed"),
            Trade.INVENTORY, List.of("OrderCreated", "OrderCancelled", "PaymentFailed"),
            Trade.PAYMENT, List.of("StockReserved", "OrderCancelled"));
    private static final List<Moment> MOMENTS = Moment.of(CommitPoint.values());
    private static final List<Part> PARTS = List.of(Part.values());
    private static final List<Duration> TIMES = List.of(
            Duration.ofMillis(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(4),
            Duration.ofSeconds(4),
            Duration.ofSeconds(12),
            SagaWorld.DEADLINE,
            SagaWorld.DEADLINE.plusSeconds(1),
            Duration.ofMinutes(6));

    /** Longer than a letter may suspend its saga. */
    private static final Duration DAY = Duration.ofHours(25);

    private static final int MAX_DAYS = 3;

    private final SplittableRandom random;
    private int orders;
    private int days;

    private TradeSteps(SplittableRandom random) {
        this.random = random;
    }

    static List<TradeStep> random(SplittableRandom random) {
        return new TradeSteps(random).run();
    }

    private List<TradeStep> run() {
        int length = 30 + random.nextInt(150);
        int faults = random.nextInt(30);
        boolean mixed = random.nextInt(3) == 0;
        List<TradeStep> run = new ArrayList<>();
        create(run);
        while (run.size() < length) {
            if (mixed && random.nextInt(8) == 0) {
                String service = oneOf(SERVICES);
                run.add(new TradeStep.Deploy(service, replica(), version(service)));
            }
            int kind = random.nextInt(100);
            if (kind < faults) {
                fault(run);
            } else if (kind < faults + 11) {
                operation(run);
            } else if (kind < faults + 13) {
                overdue(run);
            } else if (kind < faults + 18) {
                create(run);
            } else {
                work(run);
            }
        }
        return run;
    }

    private void create(List<TradeStep> run) {
        String order = orders == 0 || random.nextInt(4) > 0 ? "o-" + ++orders : order();
        if (random.nextInt(6) == 0) {
            run.add(new TradeStep.Refuse(order, random.nextBoolean()));
        }
        run.add(new TradeStep.Create(order, replica()));
    }

    private void work(List<TradeStep> run) {
        switch (random.nextInt(12)) {
            case 0 -> run.add(new TradeStep.PassTime(time()));
            case 1 -> run.add(new TradeStep.Judge(replica()));
            case 2 -> observe(run);
            case 3 -> run.add(new TradeStep.Work(oneOf(SERVICES), replica(), oneOf(PARTS)));
            case 4 -> everyService(run);
            default -> run.add(new TradeStep.Work(oneOf(SERVICES), replica(), Part.ALL));
        }
    }

    /** At most a few days pass, so that no saga is purged. */
    private Duration time() {
        if (days < MAX_DAYS && random.nextInt(40) == 0) {
            days++;
            return DAY;
        }
        return oneOf(TIMES);
    }

    private void everyService(List<TradeStep> run) {
        SERVICES.forEach(service -> run.add(new TradeStep.Work(service, replica(), Part.ALL)));
    }

    /** A detector watches the directory for a while, so that it notices a service that is down, and then judges. */
    private void observe(List<TradeStep> run) {
        int replica = replica();
        boolean atOnce = random.nextInt(4) > 0;
        if (random.nextInt(3) == 0) {
            run.add(new TradeStep.PassTime(SagaWorld.DEADLINE));
        }
        for (int step = 0; step < 5; step++) {
            everyService(run);
            run.add(new TradeStep.Work(Trade.TRACKER, replica, Part.ALL));
            run.add(atOnce ? new TradeStep.Judge(replica) : new TradeStep.Detect(replica));
            run.add(new TradeStep.PassTime(Duration.ofSeconds(4)));
        }
    }

    /** A handler or a service fails until sagas are overdue, and is then mostly repaired. */
    private void overdue(List<TradeStep> run) {
        String service = oneOf(SERVICES);
        boolean parked = random.nextBoolean();
        run.add(
                parked
                        ? new TradeStep.FailHandlers(oneOf(handled(service)), random.nextInt(3) == 0)
                        : new TradeStep.Stop(service));
        create(run);
        everyService(run);
        everyService(run);
        run.add(new TradeStep.PassTime(SagaWorld.DEADLINE));
        observe(run);
        if (parked && random.nextBoolean()) {
            run.add(new TradeStep.Stop(service));
            run.add(new TradeStep.PassTime(SagaWorld.BEYOND_LEASE));
            observe(run);
            run.add(new TradeStep.Start(service));
        }
        if (random.nextInt(4) > 0) {
            run.add(parked ? new TradeStep.RepairHandlers() : new TradeStep.Start(service));
            everyService(run);
            run.add(new TradeStep.Replay(service, replica()));
            everyService(run);
        }
    }

    private void operation(List<TradeStep> run) {
        String service = oneOf(SERVICES);
        switch (random.nextInt(12)) {
            case 0, 1 -> run.add(new TradeStep.Cancel(order(), replica()));
            case 2, 3 -> run.add(new TradeStep.Discard(service, replica(), random.nextInt(10)));
            case 4 -> run.add(new TradeStep.ResetTracking(replica()));
            case 5 -> run.add(new TradeStep.Pause(service, replica(), random.nextBoolean()));
            case 6, 7 -> run.add(new TradeStep.Start(service));
            case 8 -> run.add(new TradeStep.Detect(replica()));
            case 9 -> run.add(new TradeStep.RepairHandlers());
            default -> {
                run.add(new TradeStep.RepairHandlers());
                run.add(new TradeStep.Replay(service, replica()));
            }
        }
    }

    private void fault(List<TradeStep> run) {
        String service = oneOf(SERVICES);
        switch (random.nextInt(16)) {
            case 0, 1, 2 -> run.add(new TradeStep.CrashAt(service, oneOf(MOMENTS)));
            case 3 -> run.add(new TradeStep.Kill(service, replica()));
            case 4, 5 -> run.add(new TradeStep.Stop(oneOf(List.of(service, Trade.PAYMENT))));
            case 6, 7, 8, 9 -> run.add(new TradeStep.FailHandlers(oneOf(handled(service)), random.nextInt(3) == 0));
            case 10 -> run.add(new TradeStep.SetBreaker(random.nextBoolean()));
            case 11 -> run.add(new TradeStep.FailCancellations(random.nextInt(3) == 0));
            case 12 -> run.add(new TradeStep.Redeliver(service));
            case 13 -> run.add(new TradeStep.RestartWire());
            case 14 -> run.add(new TradeStep.LoseTail(oneOf(STREAMS), 1 + random.nextInt(3)));
            default -> run.add(new TradeStep.ConnectWire(random.nextInt(3) > 0));
        }
    }

    private TradeVersion version(String service) {
        return switch (random.nextInt(4)) {
            case 0 -> TradeVersion.withoutSagas();
            case 1 -> TradeVersion.CURRENT;
            default -> TradeVersion.without(oneOf(handled(service)));
        };
    }

    private static List<String> handled(String service) {
        return Objects.requireNonNull(HANDLED.get(service));
    }

    private String order() {
        return "o-" + (1 + random.nextInt(Math.max(1, orders)));
    }

    private int replica() {
        return random.nextInt(SimulatedTrade.REPLICAS);
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
