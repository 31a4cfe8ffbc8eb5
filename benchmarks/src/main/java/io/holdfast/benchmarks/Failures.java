package io.holdfast.benchmarks;

import io.holdfast.PermanentException;

/** Creates the exception that ends a failed benchmark. */
final class Failures {

    private Failures() {}

    static PermanentException of(String what, Exception cause) {
        return new PermanentException(what + " failed: " + cause, cause);
    }
}
