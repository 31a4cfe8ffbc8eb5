package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.tck.harness.CrashPoints.Moment;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.property.Property;
import io.holdfast.tck.simulation.Step.CrashAt;
import io.holdfast.tck.simulation.Step.Side;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random runs over two services. Invariants are checked during each run and after it. */
public final class Simulation {

    private static final int WORK_STEPS = 60;

    /** Enough runs for every kind of change to happen in at least one of them. */
    private static final int RUNS_FOR_FULL_COVERAGE = 500;

    private static final Set<CommitPoint> UNREACHED_POINTS = EnumSet.of(
            // no rolled-out version changes the sequencing policy
            CommitPoint.TOKEN_CHANGE_POLICY,
            // no step uses the idempotency guard, evicts outbox entries or removes a group
            CommitPoint.GUARD_CLAIM,
            CommitPoint.GUARD_RENEW,
            CommitPoint.GUARD_COMPLETE,
            CommitPoint.GUARD_RELEASE,
            CommitPoint.OUTBOX_EVICT,
            CommitPoint.GROUP_REMOVE,
            // no step records the service directory
            CommitPoint.SERVICES_RECORD,
            CommitPoint.SERVICES_FORGET,
            // no run is certain to stop an action that has open items
            CommitPoint.ACTION_EXPIRE);

    /** Points that only the other side reaches. These, and those above, have their own tests. */
    private static final Map<Side, Set<CommitPoint>> UNREACHED_BY_SIDE = Map.of(
            // the source has no processor, and its publisher keeps one segment
            Side.SOURCE,
            EnumSet.of(
                    CommitPoint.WRITE_ROWS,
                    CommitPoint.WRITE_LETTERS,
                    CommitPoint.WRITE_OUTCOMES,
                    CommitPoint.TOKEN_RENEW_REPLICA,
                    CommitPoint.TOKEN_DEFINE,
                    CommitPoint.TOKEN_SET_UP,
                    CommitPoint.TOKEN_RELEASE,
                    CommitPoint.TOKEN_SPLIT,
                    CommitPoint.TOKEN_MERGE,
                    CommitPoint.TOKEN_PAUSE,
                    CommitPoint.TOKEN_RESET,
                    CommitPoint.TOKEN_RESTORE,
                    CommitPoint.LETTERS_CHANGE,
                    CommitPoint.ACTION_STAGE,
                    CommitPoint.ACTION_SETTLE,
                    CommitPoint.ACTION_STOP,
                    CommitPoint.ACTION_DELETE),
            // the sink publishes nothing and has no readers
            Side.SINK,
            EnumSet.of(
                    CommitPoint.OUTBOX_COMMIT,
                    CommitPoint.OUTBOX_ASSIGN_POSITIONS,
                    CommitPoint.GROUP_REGISTER,
                    CommitPoint.GROUP_START,
                    CommitPoint.GROUP_REPORT,
                    CommitPoint.WIRE_PUBLISH,
                    CommitPoint.WIRE_ANNOUNCE));

    private final Supplier<StoreHarness> stores;

    private final int checkInterval;

    private Simulation(Supplier<StoreHarness> stores, int checkInterval) {
        this.stores = stores;
        this.checkInterval = checkInterval;
    }

    /** @param stores creates a new, empty store for each service of each run */
    public static Simulation of(Supplier<StoreHarness> stores) {
        return new Simulation(stores, 1);
    }

    /**
     * Checks the parked letters only every so many steps, and at the end. On a database, the check takes longer than
     * the steps.
     */
    public Simulation checkInterval(int steps) {
        return new Simulation(stores, steps);
    }

    /**
     * Verifies the guarantees for random interleavings of commands, duplicates, failures, operations, replays and
     * crashes. With enough runs, it also fails if some kind of dead-letter change never happens.
     */
    public void verify(int runs) {
        Set<DeadLetterChange.Kind> seen = EnumSet.noneOf(DeadLetterChange.Kind.class);
        StepCounts counts = new StepCounts();
        Property.of("once, in order, none lost", Steps::random).verify(runs, steps -> {
            seen.addAll(run(steps).changeKinds());
            counts.add(steps);
        });
        counts.print();
        if (runs >= RUNS_FOR_FULL_COVERAGE) {
            assertThat(seen).as("changes of parked events").contains(DeadLetterChange.Kind.values());
        }
    }

    /**
     * Verifies one crash per run, at each moment of each side, among work and operations of all kinds. Also fails if
     * some moment is never reached.
     *
     * @param places the number of different steps, from early to late, at which each crash is armed
     */
    public void verifyEveryCrashPoint(int places) {
        Set<CrashAt> happened = new HashSet<>();
        Property.of("every crash point", random -> workWithEveryCrash(random, places))
                .from(1)
                .verify(
                        1,
                        runs -> runs.forEach(steps -> happened.addAll(run(steps).crashes())));
        assertThat(happened).as("crashes that happened").containsAll(possibleCrashes());
    }

    /** Verifies the runs with failovers that once failed. */
    public void verifyKnownFailovers() {
        KnownFailovers.RUNS.forEach(
                (name, steps) -> assertThatCode(() -> run(steps)).as(name).doesNotThrowAnyException());
    }

    private static List<CrashAt> possibleCrashes() {
        List<CrashAt> crashes = new ArrayList<>();
        for (Side side : Side.values()) {
            Moment.of(CommitPoint.values()).forEach(moment -> crashes.add(new CrashAt(side, moment)));
        }
        return crashes.stream()
                .filter(crash -> !UNREACHED_POINTS.contains(crash.moment().point()))
                .filter(crash -> !UNREACHED_BY_SIDE
                        .getOrDefault(crash.side(), Set.of())
                        .contains(crash.moment().point()))
                .toList();
    }

    private static List<List<Step>> workWithEveryCrash(SplittableRandom random, int places) {
        List<List<Step>> runs = new ArrayList<>();
        for (CrashAt crash : possibleCrashes()) {
            for (int place = 0; place < places; place++) {
                List<Step> steps = new ArrayList<>(Steps.work(random, WORK_STEPS));
                steps.addAll(Steps.everyOperation());
                steps.add(place * steps.size() / places, crash);
                runs.add(steps);
            }
        }
        return runs;
    }

    private RunResult run(List<Step> steps) {
        try (World world = new World(stores.get(), stores.get(), checkInterval == 1)) {
            return run(world, steps);
        }
    }

    private RunResult run(World world, List<Step> steps) {
        int done = 0;
        for (Step step : steps) {
            step.applyTo(world);
            checkParking(world, ++done);
        }
        world.parkingInvariants.check();
        Set<CrashAt> crashed = crashed(world, steps);
        world.heal();
        for (int round = 0; !world.isIdle(); round++) {
            if (round == World.MAX_ROUNDS) {
                throw new AssertionError("The simulation is stuck: after " + World.MAX_ROUNDS + " rounds without faults"
                        + " the sink has not handled every event:" + world.describe());
            }
            world.runRound(round);
            checkParking(world, round);
        }
        world.parkingInvariants.check();
        world.refreshClaims();
        new FinalInvariants(world).check();
        return new RunResult(crashed, world.policy.changeKinds());
    }

    private void checkParking(World world, int step) {
        if (step % checkInterval == 0) {
            world.parkingInvariants.check();
        }
    }

    private static Set<CrashAt> crashed(World world, List<Step> steps) {
        Set<CrashAt> crashed = new HashSet<>();
        for (Step step : steps) {
            if (step instanceof CrashAt crash
                    && !world.crashPoints(crash.side()).isArmed()) {
                crashed.add(crash);
            }
        }
        return crashed;
    }

    /**
     * The result of a run.
     *
     * @param crashes the armed crashes that happened
     * @param changeKinds the kinds of changes that parked events went through
     */
    private record RunResult(Set<CrashAt> crashes, Set<DeadLetterChange.Kind> changeKinds) {}
}
