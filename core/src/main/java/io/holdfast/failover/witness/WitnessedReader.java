package io.holdfast.failover.witness;

import io.holdfast.event.EventMessage;
import io.holdfast.event.EventReader;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Records the events from which states are built in the witness: a state must not outlive its last event. */
public final class WitnessedReader implements EventReader {

    private final EventReader reader;
    private final LogWitness witness;

    public WitnessedReader(EventReader reader, LogWitness witness) {
        this.reader = reader;
        this.witness = witness;
    }

    @Override
    public List<EventMessage> find(Collection<UUID> ids) {
        List<EventMessage> events = reader.find(ids);
        witness.read(events);
        return events;
    }

    @Override
    public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        List<KeyHistory> histories = reader.readKeys(keys, limit);
        for (KeyHistory history : histories) {
            List<EventMessage> events = history.events();
            if (!events.isEmpty()) {
                witness.folded(events.get(events.size() - 1));
            }
        }
        return histories;
    }
}
