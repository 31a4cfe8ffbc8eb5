package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.DeadLetter;

/**
 * An entry with its content.
 *
 * @param letter the letter as it is parked, or as it was when it was resolved
 */
public record EntryDetails(Entry entry, DeadLetter letter) {}
