package io.holdfast.benchmarks;

import io.holdfast.PermanentException;

/** The command line asks for what is not there. */
final class InvalidOptionException extends PermanentException {

    InvalidOptionException(String message) {
        super(message);
    }
}
