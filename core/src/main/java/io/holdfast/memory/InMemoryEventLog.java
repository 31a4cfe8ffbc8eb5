package io.holdfast.memory;

import io.holdfast.aggregate.AggregateKey;
import io.holdfast.event.Epoch;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Snapshot;
import io.holdfast.event.SnapshotFormat;
import io.holdfast.event.StreamHead;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Events by position, stream, key and id. Guarded by its own monitor; appended to only under the head lock. */
final class InMemoryEventLog implements EventLog {

    private LogIdentity identity;
    private final List<Epoch> epochs = new ArrayList<>();
    private final NavigableMap<Long, EventMessage> byPosition = new TreeMap<>();
    private final Map<String, NavigableMap<Long, EventMessage>> byStream = new HashMap<>();
    private final Map<AggregateKey, NavigableMap<Long, EventMessage>> byKey = new HashMap<>();
    private final Map<UUID, EventMessage> byId = new HashMap<>();
    private final NavigableMap<String, StreamHead> heads = new TreeMap<>();
    private final Map<AggregateKey, Long> versions = new HashMap<>();
    private final Map<AggregateKey, Snapshot> snapshots = new HashMap<>();
    private long position;
    private long commits;

    InMemoryEventLog(LogIdentity identity) {
        this.identity = identity;
        this.epochs.add(new Epoch(identity.epoch(), 0));
    }

    @Override
    public synchronized LogIdentity identity() {
        return identity;
    }

    @Override
    public synchronized List<Epoch> epochs() {
        return List.copyOf(epochs);
    }

    /** Starts a new epoch, which includes all existing events. */
    synchronized Epoch raiseEpoch() {
        return start(new Epoch(identity.epoch() + 1, position));
    }

    synchronized Epoch start(Epoch raised) {
        identity = new LogIdentity(identity.id(), raised.number());
        epochs.add(raised);
        heads.replaceAll((stream, head) -> new StreamHead(stream, identity, head.position(), head.id()));
        List<EventMessage> kept = List.copyOf(byPosition.values());
        kept.forEach(event -> put(relabelled(event)));
        return raised;
    }

    synchronized HeadReading reading(Witnessed witnessed) {
        int lost = (int) witnessed.unverified().stream()
                .filter(seen -> seen.position() > position
                        || !seen.id().equals(Objects.requireNonNullElse(idAt(seen.position()), seen.id())))
                .count();
        return new HeadReading(position, idAt(position), identity.epoch(), commits, idAt(witnessed.position()), lost);
    }

    /** Returns the id of the event at a position; null if no event has this position. */
    synchronized @Nullable UUID idAt(long at) {
        EventMessage event = byPosition.get(at);
        return event == null ? null : event.id();
    }

    private EventMessage relabelled(EventMessage event) {
        LogPosition old = event.logPosition();
        return event.at(new LogPosition(identity, old.position(), old.previousPosition(), old.previousId()));
    }

    @Override
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized StreamHead head(String stream) {
        return heads.getOrDefault(stream, new StreamHead(stream, identity, 0, null));
    }

    @Override
    public synchronized List<StreamHead> heads() {
        return List.copyOf(heads.values());
    }

    @Override
    public synchronized List<EventMessage> readAll(long after, int limit) {
        return above(byPosition, after, limit);
    }

    @Override
    public synchronized List<EventMessage> readStream(String stream, long after, int limit) {
        return above(byStream.getOrDefault(stream, new TreeMap<>()), after, limit);
    }

    @Override
    public synchronized List<EventMessage> readKey(String stream, String key, long after, int limit) {
        return above(byKey.getOrDefault(new AggregateKey(stream, key), new TreeMap<>()), after, limit);
    }

    @Override
    public synchronized Optional<EventMessage> findFirst(String stream, Instant occurredAtOrLater) {
        return byStream.getOrDefault(stream, new TreeMap<>()).values().stream()
                .filter(event -> !event.occurredAt().isBefore(occurredAtOrLater))
                .findFirst();
    }

    @Override
    public synchronized List<EventMessage> find(Collection<UUID> ids) {
        return ids.stream()
                .distinct()
                .map(byId::get)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(EventMessage::position))
                .toList();
    }

    @Override
    public synchronized List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        return keys.stream().map(key -> history(key, limit)).toList();
    }

    private KeyHistory history(KeyRead read, int limit) {
        SnapshotFormat format = read.snapshot();
        Snapshot newest = snapshots.get(new AggregateKey(read.stream(), read.key()));
        Snapshot usable = newest != null && format != null && format.fits(newest) ? newest : null;
        long after = usable == null ? read.after() : usable.version() - 1;
        return new KeyHistory(read.stream(), read.key(), usable, readKey(read.stream(), read.key(), after, limit));
    }

    @Override
    public synchronized Optional<Snapshot> findSnapshot(String stream, String key) {
        return Optional.ofNullable(snapshots.get(new AggregateKey(stream, key)));
    }

    synchronized boolean contains(UUID id) {
        return byId.containsKey(id);
    }

    /** Returns the version of a key's newest event, also after that event was removed. */
    synchronized long version(AggregateKey key) {
        return versions.getOrDefault(key, 0L);
    }

    /** Returns the position of a stream's next event if {@code staged} other events are added before it. */
    synchronized LogPosition nextLogPosition(int staged, StreamHead newestOfStream) {
        return new LogPosition(identity, position + staged + 1, newestOfStream.position(), newestOfStream.id());
    }

    /** Adds the events of one commit. */
    synchronized void add(List<EventMessage> events) {
        commits++;
        for (EventMessage event : events) {
            put(event);
            versions.put(new AggregateKey(event.stream(), event.key()), event.version());
            heads.put(event.stream(), new StreamHead(event.stream(), identity, event.position(), event.id()));
            position = event.position();
        }
    }

    private void put(EventMessage event) {
        AggregateKey key = new AggregateKey(event.stream(), event.key());
        byPosition.put(event.position(), event);
        byStream.computeIfAbsent(event.stream(), unknown -> new TreeMap<>()).put(event.position(), event);
        byKey.computeIfAbsent(key, unknown -> new TreeMap<>()).put(event.version(), event);
        byId.put(event.id(), event);
    }

    synchronized void add(Snapshot snapshot) {
        snapshots.put(new AggregateKey(snapshot.stream(), snapshot.key()), snapshot);
    }

    synchronized void remove(EventMessage event) {
        byPosition.remove(event.position());
        byId.remove(event.id());
        Objects.requireNonNull(byStream.get(event.stream())).remove(event.position());
        Objects.requireNonNull(byKey.get(new AggregateKey(event.stream(), event.key())))
                .remove(event.version());
    }

    private static List<EventMessage> above(NavigableMap<Long, EventMessage> events, long after, int limit) {
        return events.tailMap(after, false).values().stream().limit(limit).toList();
    }
}
