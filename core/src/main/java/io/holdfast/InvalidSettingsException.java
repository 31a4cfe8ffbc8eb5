package io.holdfast;

import java.util.List;

/** Settings that cannot be used. Says all that is wrong with them at once: each property, its value and what is allowed. */
public final class InvalidSettingsException extends PermanentException {

    private final List<String> problems;

    /** @param mistakes one line for each wrong property */
    public InvalidSettingsException(List<String> mistakes) {
        super("wrong settings: " + String.join("; ", mistakes));
        this.problems = List.copyOf(mistakes);
    }

    public List<String> problems() {
        return problems;
    }
}
