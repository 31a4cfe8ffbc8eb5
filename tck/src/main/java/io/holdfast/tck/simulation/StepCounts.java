package io.holdfast.tck.simulation;

import java.util.List;

/** Counts the steps of all runs. */
final class StepCounts {

    private int runs;
    private long steps;
    private long faults;
    private long replaced;

    void add(List<Step> run) {
        runs++;
        steps += run.size();
        faults += run.stream().filter(Step.Fault.class::isInstance).count();
        replaced += run.stream().filter(Step.Replace.class::isInstance).count();
    }

    @SuppressWarnings("SystemOut") // shown with the seeds, in the output of the build
    void print() {
        System.out.printf(
                "simulation: %d runs, %d steps, %d faults, %d replicas replaced by another version%n",
                runs, steps, faults, replaced);
    }
}
