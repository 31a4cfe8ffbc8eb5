package io.holdfast;

import java.util.List;

/** Settings that cannot be used. Says all that is wrong with them at once: each property, its value and what is allowed. */
public final class WrongSettingsException extends PermanentException {

    private final List<String> mistakes;

    /** @param mistakes one line for each wrong property */
    public WrongSettingsException(List<String> mistakes) {
        super("wrong settings: " + String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    public List<String> mistakes() {
        return mistakes;
    }
}
