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

    /** Work of all kinds, and a crash at one moment, for each moment of each side, early and late in the run. */
    public void holdsForEveryCrashPoint() {
        Property.of("every crash point", this::workWithEveryCrash).from(1).holds(1, this::runEach);
    }

    private List<List<Step>> workWithEveryCrash(SplittableRandom random) {
        List<List<Step>> runs = new ArrayList<>();
        for (Side side : Side.values()) {
            for (Moment moment : Moment.of(CommitPoint.values())) {
                for (int at = 0; at < 60; at += 10) {
                    List<Step> steps = new ArrayList<>(Steps.work(random, 60));
                    steps.add(at, new Step.CrashAt(side, moment));
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
