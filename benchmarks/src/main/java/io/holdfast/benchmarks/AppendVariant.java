package io.holdfast.benchmarks;

/** One way to append events durably. */
interface AppendVariant extends AutoCloseable {

    /** Number of keys that the appends are spread over. */
    int KEYS = 10_000;

    /**
     * Creates the appender of one of several concurrent callers.
     *
     * @param number the number of the caller, from 0
     * @param callers the number of callers
     */
    Caller caller(int number, int callers);

    /** Returns the number of transactions committed so far. */
    long commits();

    /** Fills the caches as in a process that has run for a while. */
    void warmUp();

    @Override
    void close();

    /** Appends events. Not thread-safe. */
    interface Caller extends AutoCloseable {

        /** @return the number of events that became durable */
        int append();

        @Override
        void close();
    }
}
