package io.holdfast.tck.saga;

import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.property.Property;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Random runs of sagas over three services. Every saga ends, or shows what it waits for; all its steps take effect or
 * all are compensated, never both and never twice.
 */
final class SagaSimulation {

    private final Supplier<StoreHarness> stores;
    private final int checkInterval;
    private final Map<String, Integer> outcomes = new TreeMap<>();
    private long steps;
    private long faults;

    /**
     * @param stores creates a new, empty store for the tracker of each run
     * @param checkInterval the number of steps between two checks
     */
    SagaSimulation(Supplier<StoreHarness> stores, int checkInterval) {
        this.stores = stores;
        this.checkInterval = checkInterval;
    }

    @SuppressWarnings("SystemOut") // shown with the seeds, in the output of the build
    void verify(int runs) {
        Property.of("every saga ends or waits visibly", TradeSteps::random).verify(runs, this::run);
        System.out.printf("saga simulation: %d runs, %d steps, %d faults, sagas %s%n", runs, steps, faults, outcomes);
    }

    private void run(List<TradeStep> run) {
        try (SimulatedTrade world = new SimulatedTrade(stores.get())) {
            int done = 0;
            for (TradeStep step : run) {
                step.applyTo(world);
                if (++done % checkInterval == 0) {
                    world.invariants.check();
                }
            }
            world.heal();
            world.invariants.checkEnd().forEach((outcome, sagas) -> outcomes.merge(outcome, sagas, Integer::sum));
        }
        steps += run.size();
        faults += run.stream().filter(TradeStep.Fault.class::isInstance).count();
    }
}
