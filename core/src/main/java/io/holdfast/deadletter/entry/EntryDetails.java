package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterOriginal;
import java.util.List;

/**
 * An entry with its content.
 *
 * @param letter the letter as it is parked, or as it was when it was resolved
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
