package io.holdfast.commit;

import io.holdfast.PermanentException;
import io.holdfast.action.AlreadySettledException;
import io.holdfast.action.Settlement;
import io.holdfast.aggregate.AggregateKey;
import io.holdfast.deadletter.CauseGroupChange;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.QueueLedger;
import io.holdfast.token.ClaimedToken;
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

/**
 * The checks that every store performs before it writes: each unit must follow the committed state and the units
 * before it in the batch. One instance per session, used under the head lock. Not thread-safe.
 */
public final class UnitChecks {

    private final Committed committed;
    private final Map<AggregateKey, Long> versions = new HashMap<>();
    private final Map<RowKey, Long> rowVersions = new HashMap<>();
    private final Map<Segment, ClaimedToken> tokens = new HashMap<>();
    private final Set<UUID> ids = new HashSet<>();
    private final Set<ParkedEvent> parked = new HashSet<>();
    private final Map<LetterId, Boolean> letters = new HashMap<>();
    private final Set<List<Object>> settled = new HashSet<>();
    private final QueueLedger queues;
    private final List<UnitWrites> accepted = new ArrayList<>();

    public UnitChecks(Committed committed) {
        this.committed = committed;
        this.queues = new QueueLedger(committed);
    }

    /** The committed state of a store. */
    public interface Committed extends QueueLedger.Committed {

        /** Returns the version of the key's newest event, or 0. */
        long version(AggregateKey key);

        /** Returns the version of a row, or 0. */
        long version(RowKey row);

        /** Returns a segment's token, or null if the segment does not exist. */
        @Nullable
        ClaimedToken token(Segment segment);

        /**
         * Returns whether an event with this id exists. A store that detects duplicates when it writes may return
         * false.
         */
        boolean exists(UUID id);

        /**
         * Returns whether a component has parked the event. A store that detects it when it writes may return false.
         */
        boolean isParked(ParkedEvent event);

        /** Returns whether the letter exists. A store that detects it when it writes may return false. */
        boolean exists(LetterId letter);

        /** Returns whether this is an outbox stream. */
        boolean isOutboxStream(String stream);

        /** Returns whether the item of an operation is not settled yet. */
        boolean isOpen(Settlement settlement);
    }

    /** An event in the queue of a component, which contains it at most once. */
    public record ParkedEvent(String component, UUID event) {

        public static ParkedEvent of(DeadLetter letter) {
            return new ParkedEvent(
                    letter.sequence().component(), letter.message().id());
        }
    }

    /** @return the reasons why units cannot be written; all other units are accepted */
    public List<Rejection> check(List<UnitWrites> units) {
        List<Rejection> rejections = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            UnitWrites writes = units.get(unit);
            check(unit, writes).ifPresentOrElse(rejections::add, () -> accept(writes));
        }
        return rejections;
    }

    public List<UnitWrites> accepted() {
        return accepted;
    }

    /** Returns the tokens as the accepted units advance them. */
    public Map<Segment, ClaimedToken> advanced() {
        return tokens;
    }

    /** Returns, by component, the counts of the queues that the accepted units change. */
    public Map<String, QueueCounts> queues() {
        return queues.changedCounts();
    }

    /** Returns how the accepted units change the cause groups. */
    public List<CauseGroupChange> groups() {
        return queues.changedGroups();
    }

    /** Returns the exception for a stream that would contain both committed events and outbox entries. */
    public static PermanentException streamKindConflict(String stream, String kind) {
        return new PermanentException("stream " + stream + " is " + kind
                + "; a stream is either event-sourced or an outbox stream, never both. Use another stream");
    }

    private Optional<Rejection> check(int index, UnitWrites unit) {
        return unit.tokenAdvance()
                .flatMap(advance -> checkToken(index, advance))
                .or(() -> checkEvents(index, unit.events()))
                .or(() -> checkRows(index, unit.rows()))
                .or(() -> checkLetters(index, unit.letters()))
                .or(() -> checkSettlements(index, unit.settlements()))
                .or(() -> queues.apply(unit.letters())
                        .map(overflow -> new Rejection(index, Rejection.Kind.REJECTED, overflow)));
    }

    private Optional<Rejection> checkToken(int index, TokenAdvance advance) {
        ClaimedToken current = token(advance.claim().segment());
        if (current == null) {
            return rejected(index, new StaleTokenException(advance, "the segment does not exist"));
        }
        if (!current.isClaimedBy(advance.claim())) {
            String found =
                    current.owner() == null ? "no replica has claimed it" : "it is claimed by " + current.owner();
            return rejected(index, new StaleTokenException(advance, found + ", fencing token " + current.fence()));
        }
        long version = current.token().version();
        return version == advance.fromVersion()
                ? Optional.empty()
                : rejected(index, new StaleTokenException(advance, "it is at version " + version));
    }

    private Optional<Rejection> checkEvents(int index, List<EventDraft> events) {
        Map<AggregateKey, Long> reached = new HashMap<>();
        for (EventDraft event : events) {
            if (ids.contains(event.id()) || committed.exists(event.id())) {
                PermanentException exists = new PermanentException("event " + event.id() + " already exists");
                return Optional.of(new Rejection(index, Rejection.Kind.DUPLICATE, exists));
            }
            if (committed.isOutboxStream(event.key().stream())) {
                return rejected(index, streamKindConflict(event.key().stream(), "an outbox stream"));
            }
            long before = reached.computeIfAbsent(event.key(), this::version);
            if (event.version() != before + 1) {
                return conflict(
                        index,
                        event.key() + " is at version " + before + ", so " + event.version() + " does not follow");
            }
            reached.put(event.key(), event.version());
        }
        return Optional.empty();
    }

    private Optional<Rejection> checkRows(int index, List<RowWrite> rows) {
        for (RowWrite row : rows) {
            long before = rowVersions.computeIfAbsent(row.key(), committed::version);
            if (row.fromVersion() != before) {
                return conflict(
                        index, "row " + row.key() + " is at version " + before + ", not at " + row.fromVersion());
            }
        }
        return Optional.empty();
    }

    private Optional<Rejection> checkLetters(int index, LetterWrites writes) {
        Set<ParkedEvent> events = new HashSet<>();
        Set<LetterId> ids = new HashSet<>();
        for (DeadLetter letter : writes.added()) {
            LetterId id = new LetterId(letter.sequence(), letter.number());
            ParkedEvent event = ParkedEvent.of(letter);
            if (!events.add(event) || parked.contains(event) || committed.isParked(event)) {
                return rejected(
                        index,
                        new PermanentException(
                                "event " + event.event() + " is already parked by component " + event.component()));
            }
            boolean removed = writes.removed().contains(id);
            if (!ids.add(id) || (!removed && letters.getOrDefault(id, committed.exists(id)))) {
                return rejected(
                        index,
                        new PermanentException(
                                "sequence " + id.sequence() + " already has a letter number " + id.number()));
            }
        }
        return Optional.empty();
    }

    private Optional<Rejection> checkSettlements(int index, List<Settlement> settlements) {
        return settlements.stream()
                .filter(settlement -> settled.contains(itemOf(settlement)) || !committed.isOpen(settlement))
                .findFirst()
                .flatMap(settlement -> rejected(index, new AlreadySettledException(settlement)));
    }

    private static List<Object> itemOf(Settlement settlement) {
        return List.of(settlement.action(), settlement.item());
    }

    private long version(AggregateKey key) {
        return versions.computeIfAbsent(key, committed::version);
    }

    private @Nullable ClaimedToken token(Segment segment) {
        ClaimedToken staged = tokens.get(segment);
        return staged != null ? staged : committed.token(segment);
    }

    private void accept(UnitWrites unit) {
        for (EventDraft event : unit.events()) {
            versions.put(event.key(), event.version());
            ids.add(event.id());
        }
        unit.rows().forEach(row -> rowVersions.put(row.key(), row.version()));
        unit.tokenAdvance().ifPresent(advance -> {
            Segment segment = advance.claim().segment();
            tokens.put(segment, Objects.requireNonNull(token(segment)).advanced(advance));
        });
        unit.settlements().forEach(settlement -> settled.add(itemOf(settlement)));
        unit.letters().removed().forEach(letter -> letters.put(letter, false));
        for (DeadLetter letter : unit.letters().added()) {
            letters.put(new LetterId(letter.sequence(), letter.number()), true);
            parked.add(ParkedEvent.of(letter));
        }
        accepted.add(unit);
    }

    private static Optional<Rejection> rejected(int index, PermanentException cause) {
        return Optional.of(new Rejection(index, Rejection.Kind.REJECTED, cause));
    }

    private static Optional<Rejection> conflict(int index, String what) {
        return Optional.of(new Rejection(index, Rejection.Kind.CONFLICT, new PermanentException(what)));
    }
}
