package io.holdfast.benchmarks;

import io.holdfast.PermanentException;

/** An invalid command line. */
final class InvalidOptionException extends PermanentException {

    InvalidOptionException(String message) {
        super(message);
    }
}
