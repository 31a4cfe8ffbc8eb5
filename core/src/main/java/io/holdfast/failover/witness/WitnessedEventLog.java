package io.holdfast.failover.witness;

import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.Snapshot;
import io.holdfast.event.StreamHead;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Records every event that is read in the witness: what is derived from it must not outlive it. */
public final class WitnessedEventLog implements EventLog {

    private final EventLog log;
    private final LogWitness witness;

    public WitnessedEventLog(EventLog log, LogWitness witness) {
        this.log = log;
        this.witness = witness;
    }

    @Override
    public LogIdentity identity() {
        return log.identity();
    }

    @Override
    public List<Epoch> epochs() {
        return log.epochs();
    }

    @Override
    public long position() {
        return log.position();
    }

    @Override
    public StreamHead head(String stream) {
        return log.head(stream);
    }

    @Override
    public List<StreamHead> heads() {
        return log.heads();
    }

    @Override
    public List<EventMessage> readAll(long after, int limit) {
        return recorded(log.readAll(after, limit));
    }

    @Override
    public List<EventMessage> readStream(String stream, long after, int limit) {
        return recorded(log.readStream(stream, after, limit));
    }

    @Override
    public List<EventMessage> readKey(String stream, String key, long after, int limit) {
        return recorded(log.readKey(stream, key, after, limit));
    }

    @Override
    public Optional<EventMessage> findFirst(String stream, Instant occurredAtOrLater) {
        Optional<EventMessage> found = log.findFirst(stream, occurredAtOrLater);
        witness.read(found.stream().toList());
        return found;
    }

    @Override
    public List<EventMessage> find(Collection<UUID> ids) {
        return recorded(log.find(ids));
    }

    @Override
    public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        return new WitnessedReader(log, witness).readKeys(keys, limit);
    }

    @Override
    public Optional<Snapshot> findSnapshot(String stream, String key) {
        return log.findSnapshot(stream, key);
    }

    private List<EventMessage> recorded(List<EventMessage> events) {
        witness.read(events);
        return events;
    }
}
