package io.holdfast.tck.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PropertyTests {

    @Test
    void runsGivenNumberOfTimesWithConsecutiveSeeds() {
        List<List<Integer>> runs = new ArrayList<>();

        Property.of("test", PropertyTests::numbers).from(1).verify(10, runs::add);

        assertThat(runs).hasSize(10);
        assertThat(runs.get(3)).isEqualTo(numbers(new SplittableRandom(4)));
        assertThat(runs.get(0)).isNotEqualTo(runs.get(1));
    }

    @Test
    void reportsSeedAndShortestFailingRun() {
        Property<Integer> property =
                Property.of("no two large ones", PropertyTests::numbers).from(1);

        assertThatThrownBy(() -> property.verify(100, PropertyTests::failOnTwoLargeOnes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no two large ones")
                .hasMessageContaining("-Dholdfast.seed=")
                .hasMessageContaining("The 2 of 50 steps that are needed")
                .hasMessageContaining("two large ones");
    }

    @Test
    void shrinksToRequiredStepsAtAnyIndex() {
        List<Integer> failing = IntStream.range(0, 100).boxed().toList();

        List<Integer> shortest = new Shrinker<Integer>(
                        steps -> steps.contains(3) && steps.contains(57) && steps.contains(99))
                .shrink(failing);

        assertThat(shortest).containsExactly(3, 57, 99);
    }

    @Test
    void shrinksToNothingWhenEveryRunFails() {
        assertThat(new Shrinker<Integer>(steps -> true).shrink(List.of(1, 2, 3)))
                .isEmpty();
    }

    private static void failOnTwoLargeOnes(List<Integer> numbers) {
        if (numbers.stream().filter(number -> number > 80).count() > 1) {
            throw new IllegalStateException("two large ones");
        }
    }

    private static List<Integer> numbers(SplittableRandom random) {
        return random.ints(50, 0, 100).boxed().toList();
    }
}
