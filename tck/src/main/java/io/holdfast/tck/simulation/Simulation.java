package io.holdfast.tck.simulation;

import io.holdfast.commit.CommitPoint;
import io.holdfast.tck.CrashPoints.Moment;
import io.holdfast.tck.StoreHarness;
import io.holdfast.tck.property.Property;
import io.holdfast.tck.simulation.Step.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random runs over two services, checked by their books. */
public final class Simulation {

    /** Many more than the slowest run needs; a world that is not quiet by then is stuck. */
    private static final int MAX_ROUNDS = 200;

    private static final int WORK = 60;

    private final Supplier<StoreHarness> stores;

    private Simulation(Supplier<StoreHarness> stores) {
        this.stores = stores;
    }

    /** @param stores gives a new, empty store for each service of each run */
    public static Simulation of(Supplier<StoreHarness> stores) {
        return new Simulation(stores);
    }

    /** For any interleaving of commands, duplicates, failing units and crashes at any point. */
    public void holds(int runs) {
        Property.of("once, in order, none lost", Steps::random).holds(runs, this::run);
    }

    /**
     * Work of all kinds, and a crash at one moment, for each moment of each side.
     *
     * @param places at how many places of the run, from early to late
     */
    public void holdsForEveryCrashPoint(int places) {
        Property.of("every crash point", random -> workWithEveryCrash(random, places))
                .from(1)
                .holds(1, this::runEach);
    }

    private static List<List<Step>> workWithEveryCrash(SplittableRandom random, int places) {
        List<List<Step>> runs = new ArrayList<>();
        for (Side side : Side.values()) {
            for (Moment moment : Moment.of(CommitPoint.values())) {
                for (int place = 0; place < places; place++) {
                    List<Step> steps = new ArrayList<>(Steps.work(random, WORK));
                    steps.add(place * WORK / places, new Step.CrashAt(side, moment));
                    runs.add(steps);
                }
            }
        }
        return runs;
    }

    private void runEach(List<List<Step>> runs) {
        runs.forEach(this::run);
    }

    private void run(List<Step> steps) {
        try (World world = new World(stores.get(), stores.get())) {
            steps.forEach(world::apply);
            world.heal();
            for (int round = 0; !world.isQuiet(); round++) {
                if (round == MAX_ROUNDS) {
                    throw new AssertionError("something is stuck: after " + MAX_ROUNDS + " rounds without trouble the"
                            + " sink has not dealt with everything");
                }
                world.round();
            }
            new Books(world).check();
        }
    }
}
