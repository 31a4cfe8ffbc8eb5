package io.holdfast.worker;

/** {@link System#nanoTime}, counted from the start of the process. */
final class SystemTime {

    private static final long ORIGIN = System.nanoTime();

    static final MonotonicClock CLOCK = () -> new MonotonicTime(System.nanoTime() - ORIGIN);

    private SystemTime() {}
}
