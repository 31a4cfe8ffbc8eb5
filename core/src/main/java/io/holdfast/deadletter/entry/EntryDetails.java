package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOriginal;
import java.util.List;

/**
 * An entry with its content.
 *
 * @param letter the parked letter, or its last state before it was resolved
 * @param originals the payloads before each edit, oldest first
 */
public record EntryDetails(Entry entry, DeadLetter letter, List<LetterOriginal> originals) {

    public EntryDetails {
        originals = List.copyOf(originals);
    }

    /** Creates the details of an entry that was not edited. */
    public EntryDetails(Entry entry, DeadLetter letter) {
        this(entry, letter, List.of());
    }
}
