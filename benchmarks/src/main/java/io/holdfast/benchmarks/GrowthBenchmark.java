package io.holdfast.benchmarks;

final class GrowthBenchmark {
    GrowthBenchmark(Options options) {
        options.knowing();
    }

    void run() {}
}
