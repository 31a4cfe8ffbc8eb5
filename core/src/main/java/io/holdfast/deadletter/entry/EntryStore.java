package io.holdfast.deadletter.entry;

import io.holdfast.deadletter.CauseGroup;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the entries of all components of a service for operators. Each letter is one entry, from the commit that parks it
 * until its resolution expires.
 *
 * <p><b>Contract.</b> Reads return committed state. The cost of a call is bounded, whatever the number of letters: a list
 * examines at most {@link #MAX_EXAMINED} letters and reads no payload.
 *
 * <p><b>Thread safety.</b> Safe for concurrent use by any number of threads and processes.
 *
 * <p><b>Transaction.</b> Joins none. Each call is a transaction of its own.
 */
public interface EntryStore {

    /** The maximum number of letters that one request for a page examines. */
    int MAX_EXAMINED = 5_000;

    /** The maximum number of letters that are counted one by one. */
    int MAX_COUNTED = 10_000;

    /**
     * Returns the next page of entries. Entries that change meanwhile may be missed, but are never repeated. If few
     * letters match, returns as many as it finds among {@link #MAX_EXAMINED}, see {@link EntryPage#searchedUntil}.
     */
    EntryPage find(EntryQuery query);

    /**
     * Counts entries, on all pages: cursor and limit are ignored. Exact for filters by status, processor and
     * component, and for parked entries by group. For others, {@link #MAX_COUNTED} letters are examined.
     */
    EntryCount count(EntryQuery query);

    /** Returns the entry of an event with its content; empty if the event is neither parked nor resolved. */
    Optional<EntryDetails> find(String component, UUID event);

    /** Returns cause groups, those with the most PENDING letters first. */
    List<CauseGroup> groups(GroupQuery query);

    /**
     * Sets the note of a cause group.
     *
     * @param group as {@link CauseGroup#id}
     * @param text the note, at most {@link CauseGroup#MAX_NOTE} characters; null removes it
     * @param by the operator
     * @return whether the group exists
     */
    boolean note(String group, @Nullable String text, String by);
}
