package io.holdfast.benchmarks;

import io.holdfast.PermanentException;

/** The command line asks for what is not there. */
final class WrongOptionException extends PermanentException {

    WrongOptionException(String message) {
        super(message);
    }
}
