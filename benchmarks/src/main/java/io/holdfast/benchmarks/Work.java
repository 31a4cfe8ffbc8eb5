package io.holdfast.benchmarks;

/**
 * The amount of work done in a measurement that ends when all work is done or its time is up.
 *
 * @param count the number of events or letters
 */
record Work(long count, double seconds) {

    double perSecond() {
        return count / seconds;
    }
}
