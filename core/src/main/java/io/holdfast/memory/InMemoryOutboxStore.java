package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.EventDraft;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.NewEvent;
import io.holdfast.failover.Witnessed;
import io.holdfast.outbox.OutboxEntry;
import io.holdfast.outbox.OutboxStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps committed entries in commit order until they get positions. Guarded by its own monitor. */
final class InMemoryOutboxStore implements OutboxStore {

    private final String service;
    private final InMemoryState state;
    private final InMemoryTransactions transactions;
    private final Clock clock;
    private final Deque<EventDraft> unpositioned = new ArrayDeque<>();
    private final Map<AggregateKey, Long> versions = new HashMap<>();
    private final Map<Long, Instant> positionedAt = new HashMap<>();

    InMemoryOutboxStore(String service, InMemoryState state, InMemoryTransactions transactions, Clock clock) {
        this.service = service;
        this.state = state;
        this.transactions = transactions;
        this.clock = clock;
    }

    @Override
    public OutboxEntry write(String stream, String key, NewEvent event) {
        InMemoryTransactions.Transaction transaction = transactions.require();
        AggregateKey id = new AggregateKey(stream, key);
        state.registerOutboxStream(stream);
        transactions.lock(id);
        Instant now = clock.instant();
        EventDraft draft = new EventDraft(
                EventIds.random(now),
                service,
                id,
                nextVersion(transaction, id),
                now,
                event.metadata(),
                event.payload());
        transaction.changes.add(() -> add(draft));
        return new OutboxEntry(draft.id(), draft.version());
    }

    @Override
    public int assignPositions(int limit, Witnessed witnessed) {
        int[] positioned = new int[1];
        state.head().runLocked(() -> {
            witnessed.requireIn(state.log().reading(witnessed));
            List<EventDraft> drafts = first(limit);
            if (!drafts.isEmpty()) {
                state.points().pass(CommitPoint.OUTBOX_ASSIGN_POSITIONS, () -> assignPositions(drafts));
                positioned[0] = drafts.size();
            }
        });
        return positioned[0];
    }

    @Override
    public synchronized long countUnpositioned() {
        return unpositioned.size();
    }

    @Override
    public int evict(String stream, long upTo, Instant positionedBefore) {
        List<EventMessage> old = new ArrayList<>();
        state.head().runLocked(() -> {
            old.addAll(evictable(stream, upTo, positionedBefore));
            state.points().pass(CommitPoint.OUTBOX_EVICT, () -> old.forEach(this::remove));
        });
        return old.size();
    }

    @Override
    public List<String> streams() {
        return state.outboxStreams().stream().sorted().toList();
    }

    private synchronized long nextVersion(InMemoryTransactions.Transaction transaction, AggregateKey key) {
        long next = transaction.versions.getOrDefault(key, versions.getOrDefault(key, 0L)) + 1;
        transaction.versions.put(key, next);
        return next;
    }

    private synchronized void add(EventDraft draft) {
        unpositioned.addLast(draft);
        versions.put(draft.key(), draft.version());
    }

    private synchronized List<EventDraft> first(int limit) {
        return unpositioned.stream().limit(limit).toList();
    }

    private synchronized void assignPositions(List<EventDraft> drafts) {
        List<EventMessage> events = state.positioned(drafts);
        drafts.forEach(first -> unpositioned.removeFirst());
        events.forEach(event -> positionedAt.put(event.position(), clock.instant()));
        state.apply(events, List.of(), List.of());
    }

    private synchronized List<EventMessage> evictable(String stream, long upTo, Instant before) {
        if (!state.isOutboxStream(stream)) {
            throw new PermanentException(
                    "stream " + stream + " is not an outbox stream; event-sourced streams are kept forever");
        }
        long passed = state.groups().findAll().stream()
                .filter(group -> group.stream().equals(stream))
                .mapToLong(group -> group.consumedPosition(state.log().epochs()))
                .min()
                .orElse(Long.MAX_VALUE);
        return state.log().readStream(stream, 0, Integer.MAX_VALUE).stream()
                .takeWhile(event -> event.position() <= Math.min(upTo, passed))
                .takeWhile(event ->
                        positionedAt.getOrDefault(event.position(), Instant.MAX).isBefore(before))
                .toList();
    }

    private synchronized void remove(EventMessage event) {
        state.log().remove(event);
        positionedAt.remove(event.position());
    }
}
