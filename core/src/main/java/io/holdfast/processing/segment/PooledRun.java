package io.holdfast.processing.segment;

/** A run of handlers on a thread that all processors of a service share. */
public interface PooledRun extends Runnable {

    /** Returns how long ago the current handler call, or else the run itself, began. Called by any thread. */
    long nanosSinceProgress();
}
