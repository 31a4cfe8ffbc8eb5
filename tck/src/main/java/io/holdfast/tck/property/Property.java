package io.holdfast.tck.property;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A property that holds for every run of random steps. The seed is printed, and {@code -Dholdfast.seed=…} repeats it. A
 * failing run is shrunk by removing steps while it still fails.
 *
 * <p>A run must depend on its steps alone, so that it fails again in the same way.
 *
 * @param <S> the type of a step; a failure shows its {@code toString}
 */
public final class Property<S> {

    /** The system property that sets the seed of the first run. Each later run uses the next seed. */
    public static final String SEED = "holdfast.seed";

    private final String name;
    private final Function<SplittableRandom, List<S>> steps;
    private final long firstSeed;

    private Property(String name, Function<SplittableRandom, List<S>> steps, long firstSeed) {
        this.name = name;
        this.steps = steps;
        this.firstSeed = firstSeed;
    }

    /** @param steps creates the steps of one run from the given source of randomness alone */
    public static <S> Property<S> of(String name, Function<SplittableRandom, List<S>> steps) {
        return new Property<>(name, steps, Long.getLong(SEED, new SplittableRandom().nextLong(1_000_000_000)));
    }

    /** Returns the same property with the given first seed. */
    public Property<S> from(long seed) {
        return new Property<>(name, steps, seed);
    }

    /**
     * Runs the property with consecutive seeds.
     *
     * @param run throws if the property does not hold
     * @throws AssertionError with the seed, the shortest failing steps and their failure
     */
    @SuppressWarnings("SystemOut") // the seed must show in the output of the build
    public void verify(int runs, Consumer<List<S>> run) {
        System.out.printf("property '%s': seeds %d to %d%n", name, firstSeed, firstSeed + runs - 1);
        for (long seed = firstSeed; seed < firstSeed + runs; seed++) {
            List<S> all = steps.apply(new SplittableRandom(seed));
            if (failure(run, all) != null) {
                throw shrink(seed, all, run);
            }
        }
    }

    private AssertionError shrink(long seed, List<S> all, Consumer<List<S>> run) {
        List<S> shortest = new Shrinker<S>(fewer -> failure(run, fewer) != null).shrink(all);
        Throwable failure = failure(run, shortest);
        StringBuilder text = new StringBuilder()
                .append("property '%s' fails with seed %d (repeat with -D%s=%d). The %d of %d steps that are needed:"
                        .formatted(name, seed, SEED, seed, shortest.size(), all.size()));
        shortest.forEach(step -> text.append("\n  ").append(step));
        return new AssertionError(text.append("\n").append(failure).toString(), failure);
    }

    private static <S> @Nullable Throwable failure(Consumer<List<S>> run, List<S> steps) {
        try {
            run.accept(new ArrayList<>(steps));
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }
}
