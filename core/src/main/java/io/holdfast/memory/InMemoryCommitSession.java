package io.holdfast.memory;

import io.holdfast.action.Settlement;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Rejection;
import io.holdfast.commit.UnitChecks;
import io.holdfast.commit.UnitChecks.ParkedEvent;
import io.holdfast.commit.UnitWrites;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.KeyHistory;
import io.holdfast.event.KeyRead;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.Witnessed;
import io.holdfast.token.ClaimedToken;
import io.holdfast.token.Segment;
import io.holdfast.view.Row;
import io.holdfast.view.RowKey;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks units against the committed state and makes all of them visible together. */
final class InMemoryCommitSession implements CommitSession, UnitChecks.Committed {

    private final InMemoryState state;
    private final UnitChecks checks = new UnitChecks(this);
    private final Runnable alongside;
    private boolean headLocked;

    InMemoryCommitSession(InMemoryState state) {
        this(state, () -> {});
    }

    /** @param alongside a change that becomes visible together with the units */
    InMemoryCommitSession(InMemoryState state, Runnable alongside) {
        this.state = state;
        this.alongside = alongside;
    }

    @Override
    public HeadReading lockHead(Witnessed witnessed) {
        return state.points().pass(CommitPoint.LOCK_HEAD, () -> {
            state.head().lock();
            headLocked = true;
            return state.log().reading(witnessed);
        });
    }

    @Override
    public List<EventMessage> find(Collection<UUID> ids) {
        return state.log().find(ids);
    }

    @Override
    public List<KeyHistory> readKeys(Collection<KeyRead> keys, int limit) {
        return state.log().readKeys(keys, limit);
    }

    @Override
    public List<Row> findRows(Collection<RowKey> keys) {
        return state.rows().find(keys);
    }

    @Override
    public ReadVersions findChanged(ReadVersions read) {
        return read.changed(this::version, this::version);
    }

    @Override
    public List<Rejection> write(List<UnitWrites> units) {
        List<Rejection> rejections = checks.check(units);
        if (rejections.isEmpty()) {
            passWrites();
        }
        return rejections;
    }

    /**
     * Passes a separate point for each kind of write, as a database would. They become visible together, at the
     * commit.
     */
    private void passWrites() {
        state.points().pass(CommitPoint.WRITE_EVENTS, () -> {});
        state.points().pass(CommitPoint.WRITE_ROWS, () -> {});
        state.points().pass(CommitPoint.WRITE_TOKENS, () -> {});
        state.points().pass(CommitPoint.WRITE_LETTERS, () -> {});
        state.points().pass(CommitPoint.WRITE_OUTCOMES, () -> {});
        state.points().pass(CommitPoint.WRITE_SNAPSHOTS, () -> {});
    }

    @Override
    public List<EventMessage> commit() {
        List<EventDraft> drafts = checks.accepted().stream()
                .flatMap(unit -> unit.events().stream())
                .toList();
        List<EventMessage> events = state.positioned(drafts);
        state.points()
                .pass(
                        CommitPoint.COMMIT,
                        () -> state.applyEventSourced(
                                events, checks.accepted(), checks.advanced().values(), alongside));
        return events;
    }

    @Override
    public void close() {
        if (headLocked) {
            headLocked = false;
            state.head().unlock();
        }
    }

    @Override
    public long version(AggregateKey key) {
        return state.log().version(key);
    }

    @Override
    public long version(RowKey row) {
        return state.rows().row(row).version();
    }

    @Override
    public @Nullable ClaimedToken token(Segment segment) {
        return state.tokens().current(segment);
    }

    @Override
    public boolean exists(UUID id) {
        return state.log().contains(id);
    }

    @Override
    public boolean isParked(ParkedEvent event) {
        return state.letters().isParked(event);
    }

    @Override
    public boolean exists(LetterId letter) {
        return state.letters().exists(letter);
    }

    @Override
    public QueueCounts counts(String component) {
        return state.letters().read(component, InMemoryQueue::counts);
    }

    @Override
    public @Nullable ParkedSequence sequence(SequenceId id) {
        return state.letters().find(id).orElse(null);
    }

    @Override
    public boolean isOpen(Settlement settlement) {
        return state.letters().actions().isOpen(settlement.action(), settlement.item());
    }

    @Override
    public boolean isOutboxStream(String stream) {
        return state.isOutboxStream(stream);
    }
}
