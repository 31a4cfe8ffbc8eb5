package io.holdfast.event;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Reads committed events by id and by key: what is needed to fold states and to find what was committed before. */
public interface EventReader {

    /** Returns the events with these ids, in position order; ids without an event are ignored. */
    List<EventMessage> find(Collection<UUID> ids);

    /**
     * Returns the histories of any number of keys, in any order, with one query.
     *
     * @param keys each key at most once
     * @param limit the largest number of events per key. A history that has as many may be incomplete
     * @return one history per key, which is empty if there is nothing to read
     */
    List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit);
}
