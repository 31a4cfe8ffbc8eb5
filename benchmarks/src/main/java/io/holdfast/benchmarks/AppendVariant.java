package io.holdfast.benchmarks;

/** One way to append events durably. */
interface AppendVariant extends AutoCloseable {

    /** How many keys the appends are spread over. */
    int KEYS = 10_000;

    /**
     * What one of several callers uses, on one thread.
     *
     * @param number from 0
     * @param callers how many there are
     */
    Caller caller(int number, int callers);

    /** Transactions that were committed so far. */
    long commits();

    /** Brings caches to where they are in a process that has run for a while. */
    void warmUp();

    @Override
    void close();

    /** Appends on one thread. */
    interface Caller extends AutoCloseable {

        /** @return how many events became durable */
        int append();

        @Override
        void close();
    }
}
