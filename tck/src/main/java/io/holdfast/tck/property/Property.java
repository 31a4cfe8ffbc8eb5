package io.holdfast.tck.property;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that holds for every run of random steps. The seed is printed; {@code -Dholdfast.seed=…} repeats it. A run
 * that fails is shortened by leaving steps out for as long as it still fails.
 *
 * <p>A run must depend on its steps alone, so that it fails again in the same way.
 *
 * @param <S> a step; its {@code toString} is what a failure shows
 */
public final class Property<S> {

    /** Sets the seed; each run of a property has the seed of the run before it plus one. */
    public static final String SEED = "holdfast.seed";

    private final String name;
    private final Function<SplittableRandom, List<S>> steps;
    private final long firstSeed;

    private Property(String name, Function<SplittableRandom, List<S>> steps, long firstSeed) {
        this.name = name;
        this.steps = steps;
        this.firstSeed = firstSeed;
    }

    /** @param steps makes the steps of one run from a source of randomness, and from nothing else */
    public static <S> Property<S> of(String name, Function<SplittableRandom, List<S>> steps) {
        return new Property<>(name, steps, Long.getLong(SEED, new SplittableRandom().nextLong(1_000_000_000)));
    }

    /** The same property from a seed of the caller's. */
    public Property<S> from(long seed) {
        return new Property<>(name, steps, seed);
    }

    /**
     * Runs it with one seed after another.
     *
     * @param run throws if the property does not hold
     * @throws AssertionError with the seed, the shortest steps that still fail, and what they fail with
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
