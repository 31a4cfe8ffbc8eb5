package io.holdfast.spring.properties;

import io.holdfast.PermanentException;
import java.util.List;

/** Thrown if the application cannot start with its configuration. Reports all errors at once. */
public final class InvalidConfigurationException extends PermanentException {

    /** @param message the error, and how to fix it */
    public InvalidConfigurationException(String message) {
        super(message);
    }

    /** @param cause the error, whose message is appended */
    public InvalidConfigurationException(String what, PermanentException cause) {
        super(what + ": " + cause.getMessage(), cause);
    }

    /** @param errors one line per error */
    public InvalidConfigurationException(String what, List<String> errors) {
        super(what + ":\n  " + String.join("\n  ", errors));
    }
}
