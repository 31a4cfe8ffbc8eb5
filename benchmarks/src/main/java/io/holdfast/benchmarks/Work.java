package io.holdfast.benchmarks;

/**
 * How much was done in a measurement that ends when all is done or its time is over, whichever is first.
 *
 * @param count events or letters
 */
record Work(long count, double seconds) {

    double perSecond() {
        return count / seconds;
    }
}
