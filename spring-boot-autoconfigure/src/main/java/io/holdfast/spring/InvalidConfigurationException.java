package io.holdfast.spring;

import io.holdfast.PermanentException;
import java.util.List;

/** An application that cannot start as it is configured. Says all that is wrong at once. */
public final class InvalidConfigurationException extends PermanentException {

    /** @param message what is wrong, and what to do */
    InvalidConfigurationException(String message) {
        super(message);
    }

    /** @param cause says what is wrong */
    InvalidConfigurationException(String what, PermanentException cause) {
        super(what + ": " + cause.getMessage(), cause);
    }

    /** @param mistakes one line for each */
    InvalidConfigurationException(String what, List<String> mistakes) {
        super(what + ":\n  " + String.join("\n  ", mistakes));
    }
}
