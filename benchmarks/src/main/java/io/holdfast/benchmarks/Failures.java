package io.holdfast.benchmarks;

import io.holdfast.PermanentException;

/** A benchmark that does not work ends with its reason. */
final class Failures {

    private Failures() {}

    static PermanentException of(String what, Exception cause) {
        return new PermanentException(what + " failed: " + cause, cause);
    }
}
