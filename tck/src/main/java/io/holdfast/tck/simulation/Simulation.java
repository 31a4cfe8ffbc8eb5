package io.holdfast.tck.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.DeadLetterChange;
import io.holdfast.tck.CrashPoints.Moment;
import io.holdfast.tck.StoreHarness;
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

/** Random runs over two services, checked by their books. */
public final class Simulation {

    /** Many more than the slowest run needs; a world that is not quiet by then is stuck. */
    private static final int MAX_ROUNDS = 200;

    private static final int WORK_STEPS = 60;

    /** So many that each of them has happened in some. */
    private static final int RUNS_FOR_FULL_COVERAGE = 500;

    private static final Set<CommitPoint> UNREACHED_POINTS = EnumSet.of(
            // no log is restored in this world
            CommitPoint.EPOCH_RAISE,
            CommitPoint.TOKEN_RESTORE,
            // no version with another policy is rolled out
            CommitPoint.TOKEN_CHANGE_POLICY,
            // nobody keeps keys of work without a position, evicts, or forgets a group
            CommitPoint.GUARD_CLAIM,
            CommitPoint.GUARD_RENEW,
            CommitPoint.GUARD_COMPLETE,
            CommitPoint.GUARD_RELEASE,
            CommitPoint.OUTBOX_EVICT,
            CommitPoint.GROUP_REMOVE);

    /** What the other side alone does. All of these and those above have tests of their own. */
    private static final Map<Side, Set<CommitPoint>> UNREACHED_BY_SIDE = Map.of(
            // it has no processor, and its publisher has one segment for as long as it lives
            Side.SOURCE,
            EnumSet.of(
                    CommitPoint.WRITE_ROWS,
                    CommitPoint.WRITE_LETTERS,
                    CommitPoint.TOKEN_RENEW_REPLICA,
                    CommitPoint.TOKEN_SET_UP,
                    CommitPoint.TOKEN_RELEASE,
                    CommitPoint.TOKEN_SPLIT,
                    CommitPoint.TOKEN_MERGE,
                    CommitPoint.TOKEN_PAUSE,
                    CommitPoint.TOKEN_RESET,
                    CommitPoint.LETTERS_CHANGE),
            // it publishes nothing and has no readers
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

    private Simulation(Supplier<StoreHarness> stores, int lookEvery) {
        this.stores = stores;
        this.checkInterval = lookEvery;
    }

    /** @param stores gives a new, empty store for each service of each run */
    public static Simulation of(Supplier<StoreHarness> stores) {
        return new Simulation(stores, 1);
    }

    /** Counts what is parked only after so many steps, and at the end: on a database that takes longer than the steps. */
    public Simulation checkInterval(int steps) {
        return new Simulation(stores, steps);
    }

    /**
     * For any interleaving of commands, duplicates, failures, operations, replays and crashes at any point. That many runs never
     * come to something that can become of a parked event is an error, too.
     */
    public void verify(int runs) {
        Set<DeadLetterChange.Kind> told = EnumSet.noneOf(DeadLetterChange.Kind.class);
        Property.of("once, in order, none lost", Steps::random)
                .verify(runs, steps -> told.addAll(run(steps).changeKinds()));
        if (runs >= RUNS_FOR_FULL_COVERAGE) {
            assertThat(told).as("what has become of parked events").contains(DeadLetterChange.Kind.values());
        }
    }

    /**
     * Work and operations of all kinds, and a crash at one moment, for each moment of each side. A moment that such a run
     * never comes to is an error, too.
     *
     * @param places at how many places of the run, from early to late
     */
    public void verifyEveryCrashPoint(int places) {
        Set<CrashAt> happened = new HashSet<>();
        Property.of("every crash point", random -> workWithEveryCrash(random, places))
                .from(1)
                .verify(
                        1,
                        runs -> runs.forEach(steps -> happened.addAll(run(steps).crashes())));
        assertThat(happened).as("crashes that have happened").containsAll(possibleCrashes());
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
        try (World world = new World(stores.get(), stores.get())) {
            int done = 0;
            for (Step step : steps) {
                step.applyTo(world);
                checkParking(world, ++done);
            }
            world.parkingInvariants.check();
            Set<CrashAt> crashed = crashed(world, steps);
            world.heal();
            for (int round = 0; !world.isIdle(); round++) {
                if (round == MAX_ROUNDS) {
                    throw new AssertionError("something is stuck: after " + MAX_ROUNDS + " rounds without trouble the"
                            + " sink has not dealt with everything:" + world.describe());
                }
                world.runRound(round);
                checkParking(world, round);
            }
            world.parkingInvariants.check();
            world.refreshClaims();
            new FinalInvariants(world).check();
            return new RunResult(crashed, world.policy.changeKinds());
        }
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
     * What a run has come to.
     *
     * @param crashes those among the steps that have happened
     * @param changeKinds what has become of parked events
     */
    private record RunResult(Set<CrashAt> crashes, Set<DeadLetterChange.Kind> changeKinds) {}
}
