package io.holdfast.tck.property;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Removes steps of a failing run, first in large chunks and then one by one, while the run still fails. */
final class Shrinker<S> {

    /** Bounds the build time: shrinking only helps the reader of a failure. */
    private static final int MAX_ATTEMPTS = 2_000;

    private final Predicate<List<S>> fails;
    private int attempts;

    Shrinker(Predicate<List<S>> fails) {
        this.fails = fails;
    }

    List<S> shrink(List<S> failing) {
        List<S> current = failing;
        int chunk = Math.max(1, current.size() / 2);
        while (true) {
            List<S> shorter = withoutOneChunk(current, chunk);
            if (shorter.size() < current.size()) {
                current = shorter;
                chunk = Math.min(chunk, Math.max(1, current.size()));
            } else if (chunk > 1) {
                chunk /= 2;
            } else {
                return current;
            }
        }
    }

    private List<S> withoutOneChunk(List<S> steps, int chunk) {
        for (int from = 0; from < steps.size() && attempts < MAX_ATTEMPTS; from += chunk, attempts++) {
            List<S> rest = new ArrayList<>(steps.subList(0, from));
            rest.addAll(steps.subList(Math.min(from + chunk, steps.size()), steps.size()));
            if (fails.test(rest)) {
                return rest;
            }
        }
        return steps;
    }
}
