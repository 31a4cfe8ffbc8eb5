package io.holdfast;

import java.util.List;

/** Settings that cannot be used. Reports all problems together: each property, its value and the allowed values. */
public final class InvalidSettingsException extends PermanentException {

    private final List<String> problems;

    /** @param problems one line per invalid property */
    public InvalidSettingsException(List<String> problems) {
        super("invalid settings: " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
