package io.holdfast.memory;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.CommitResult;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.EventDraft;
import io.holdfast.commit.ReadVersions;
import io.holdfast.commit.Refusal;
import io.holdfast.commit.RowWrite;
import io.holdfast.commit.StaleTokenException;
import io.holdfast.commit.UnitWrites;
import io.holdfast.event.EventMessage;
import io.holdfast.token.Segment;
import io.holdfast.token.TokenAdvance;
import io.holdfast.view.RowKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stages units above what is committed, and makes all of it visible at once. */
final class InMemorySession implements CommitSession {

    private final InMemoryState state;
    private final Map<AggregateKey, Long> versions = new HashMap<>();
    private final Map<RowKey, Long> rowVersions = new HashMap<>();
    private final Map<Segment, InMemoryTokens.Held> tokens = new HashMap<>();
    private final Set<UUID> ids = new HashSet<>();
    private final List<UnitWrites> accepted = new ArrayList<>();
    private boolean holdsHead;

    InMemorySession(InMemoryState state) {
        this.state = state;
    }

    @Override
    public long takeHead() {
        state.points().before(CommitPoint.TAKE_HEAD);
        state.head().take();
        holdsHead = true;
        state.points().after(CommitPoint.TAKE_HEAD);
        return state.head().commits();
    }

    @Override
    public boolean isStale(ReadVersions read) {
        return read.keys().entrySet().stream()
                        .anyMatch(entry -> state.log().version(entry.getKey()) != entry.getValue())
                || read.rows().entrySet().stream()
                        .anyMatch(entry -> state.rows().row(entry.getKey()).version() != entry.getValue());
    }

    @Override
    public List<Refusal> write(List<UnitWrites> units) {
        List<Refusal> refusals = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            UnitWrites writes = units.get(unit);
            check(unit, writes).ifPresentOrElse(refusals::add, () -> stage(writes));
        }
        if (refusals.isEmpty()) {
            passWrites();
        }
        return refusals;
    }

    /** Each kind of write is a point of its own, as in a database; they show all at once, at the commit. */
    private void passWrites() {
        state.points().pass(CommitPoint.WRITE_EVENTS, () -> {});
        state.points().pass(CommitPoint.WRITE_ROWS, () -> {});
        state.points().pass(CommitPoint.WRITE_TOKENS, () -> {});
        state.points().pass(CommitPoint.WRITE_SNAPSHOTS, () -> {});
    }

    @Override
    public CommitResult commit() {
        List<EventDraft> drafts =
                accepted.stream().flatMap(unit -> unit.events().stream()).toList();
        List<EventMessage> events = state.placed(drafts);
        state.points().pass(CommitPoint.COMMIT, () -> state.applySourced(events, accepted, tokens.values()));
        return new CommitResult(state.head().commits(), events);
    }

    @Override
    public void close() {
        if (holdsHead) {
            holdsHead = false;
            state.head().letGo();
        }
    }

    private Optional<Refusal> check(int index, UnitWrites unit) {
        return unit.tokenAdvance()
                .flatMap(advance -> checkToken(index, advance))
                .or(() -> checkEvents(index, unit.events()))
                .or(() -> checkRows(index, unit.rows()));
    }

    private Optional<Refusal> checkToken(int index, TokenAdvance advance) {
        InMemoryTokens.Held held = held(advance.claim().segment());
        if (held == null) {
            return rejected(index, new StaleTokenException(advance, "there is no such segment"));
        }
        if (!held.isHeldUnder(advance.claim())) {
            String found = held.owner() == null ? "nobody holds it" : "it is held by " + held.owner();
            return rejected(index, new StaleTokenException(advance, found + ", under fence " + held.fence()));
        }
        if (held.token().version() != advance.fromVersion()) {
            return rejected(
                    index,
                    new StaleTokenException(
                            advance, "it is at version " + held.token().version()));
        }
        return Optional.empty();
    }

    private InMemoryTokens.@Nullable Held held(Segment segment) {
        InMemoryTokens.Held staged = tokens.get(segment);
        return staged != null ? staged : state.tokens().current(segment).orElse(null);
    }

    private Optional<Refusal> checkEvents(int index, List<EventDraft> events) {
        Map<AggregateKey, Long> reached = new HashMap<>();
        for (EventDraft event : events) {
            if (state.log().contains(event.id()) || ids.contains(event.id())) {
                return Optional.of(new Refusal(
                        index,
                        Refusal.Kind.DUPLICATE,
                        new PermanentException("event " + event.id() + " exists already")));
            }
            if (state.isRowKept(event.key().stream())) {
                return rejected(index, InMemoryState.eitherOr(event.key().stream(), "row-kept"));
            }
            long before = reached.computeIfAbsent(event.key(), this::version);
            if (event.sequence() != before + 1) {
                return conflict(index, event.key() + " is at sequence " + before + ", not before " + event.sequence());
            }
            reached.put(event.key(), event.sequence());
        }
        return Optional.empty();
    }

    private Optional<Refusal> checkRows(int index, List<RowWrite> rows) {
        for (RowWrite row : rows) {
            long before = rowVersion(row.key());
            if (row.version() != before + 1) {
                return conflict(
                        index, "row " + row.key() + " is at version " + before + ", not before " + row.version());
            }
        }
        return Optional.empty();
    }

    private long version(AggregateKey key) {
        return versions.computeIfAbsent(key, state.log()::version);
    }

    private long rowVersion(RowKey key) {
        return rowVersions.computeIfAbsent(key, unknown -> state.rows().row(key).version());
    }

    private void stage(UnitWrites unit) {
        for (EventDraft event : unit.events()) {
            versions.put(event.key(), event.sequence());
            ids.add(event.id());
        }
        unit.rows().forEach(row -> rowVersions.put(row.key(), row.version()));
        unit.tokenAdvance().ifPresent(advance -> {
            Segment segment = advance.claim().segment();
            tokens.put(segment, Objects.requireNonNull(held(segment)).advanced(advance.positions()));
        });
        accepted.add(unit);
    }

    private static Optional<Refusal> rejected(int index, PermanentException cause) {
        return Optional.of(new Refusal(index, Refusal.Kind.REJECTED, cause));
    }

    private static Optional<Refusal> conflict(int index, String what) {
        return Optional.of(new Refusal(index, Refusal.Kind.CONFLICT, new PermanentException(what)));
    }
}
