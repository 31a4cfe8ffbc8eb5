package io.holdfast.jpa;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Path;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.hibernate.Session;
import org.hibernate.query.SelectionQuery;
import org.jspecify.annotations.Nullable;

/** Reads letters, sequences and queues in one session. Not thread-safe. */
final class LetterQueries implements LetterReads {

    /** The maximum number of identifiers per statement. */
    private static final int CHUNK = 200;

    private final Session session;

    LetterQueries(Session session) {
        this.session = session;
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return Optional.ofNullable(session.find(SequenceEntity.class, SequenceKey.of(sequence)))
                .map(SequenceEntity::sequence);
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return findEntities(ids).stream().map(SequenceEntity::sequence).toList();
    }

    /** Finds the sequences that exist, in no particular order. */
    List<SequenceEntity> findEntities(Collection<SequenceId> ids) {
        return find(
                SequenceEntity.class,
                ids.stream().distinct().map(SequenceKey::of).toList());
    }

    /** Finds the entities that exist, in no particular order. */
    <T> List<T> find(Class<T> type, List<?> ids) {
        List<T> found = new ArrayList<>();
        for (List<?> chunk : chunks(ids)) {
            session.findMultiple(type, chunk).stream().filter(Objects::nonNull).forEach(found::add);
        }
        return found;
    }

    static <T> List<List<T>> chunks(List<T> all) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += CHUNK) {
            chunks.add(all.subList(from, Math.min(all.size(), from + CHUNK)));
        }
        return chunks;
    }

    List<ParkedSequence> findSequences(String consumer, int number, int mask, Set<SequenceState> states, int limit) {
        return sequences(
                select(
                                "s.consumer = :consumer and bitand(s.hash, cast(:mask as Integer)) = :number and s.state in :states"
                                        + " order by s.id.component, s.id.sequence")
                        .setParameter("consumer", consumer)
                        .setParameter("mask", mask)
                        .setParameter("number", number)
                        .setParameter("states", states.stream().map(Enum::name).toList()),
                limit);
    }

    List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit) {
        return findBy("nextAttempt", false, component, after, limit);
    }

    List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit) {
        return findBy("since", false, component, after, limit);
    }

    List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit) {
        return findBy("since", true, component, before, limit);
    }

    /** Compares row values, so that the index scan starts at the cursor. */
    private List<ParkedSequence> findBy(
            String time, boolean isDescending, String component, @Nullable SequenceCursor after, int limit) {
        String direction = isDescending ? " desc" : "";
        String beyond = after == null
                ? ""
                : " and (s." + time + ", s.id.sequence) " + (isDescending ? "<" : ">") + " (:time, :sequence)";
        SelectionQuery<SequenceEntity> query = select("s.id.component = :component" + beyond + " order by s." + time
                        + direction + ", s.id.sequence" + direction)
                .setParameter("component", component);
        if (after != null) {
            query.setParameter("time", Times.toStoredPrecision(after.time()))
                    .setParameter("sequence", after.sequence());
        }
        return sequences(query, limit);
    }

    Optional<Instant> findOldestPending(String component) {
        return Optional.ofNullable(session.createSelectionQuery(
                        "select min(s.since) from HoldfastSequence s"
                                + " where s.id.component = :component and s.state = :state",
                        Instant.class)
                .setParameter("component", component)
                .setParameter("state", SequenceState.PENDING.name())
                .getSingleResultOrNull());
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return letters(session.createSelectionQuery(
                        "from HoldfastLetter l where l.id.component = :component and l.id.sequence = :sequence"
                                + " and l.id.number >= :number order by l.id.number",
                        LetterEntity.class)
                .setParameter("component", sequence.component())
                .setParameter("sequence", sequence.sequence())
                .setParameter("number", fromNumber)
                .setMaxResults(limit));
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return letters(session.createSelectionQuery(
                                "from HoldfastLetter l where l.id.component = :component and l.event.eventId = :event",
                                LetterEntity.class)
                        .setParameter("component", component)
                        .setParameter("event", event))
                .stream()
                .findFirst();
    }

    Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most) {
        Map<SequenceId, List<DeadLetter>> found = new HashMap<>();
        sequences.forEach(sequence -> found.put(sequence.id(), new ArrayList<>()));
        for (List<ParkedSequence> chunk : chunks(List.copyOf(sequences))) {
            letters(session.createSelectionQuery(firstLetters(chunk, most)))
                    .forEach(letter ->
                            Objects.requireNonNull(found.get(letter.sequence())).add(letter));
        }
        return found;
    }

    private CriteriaQuery<LetterEntity> firstLetters(List<ParkedSequence> sequences, int most) {
        CriteriaBuilder criteria = session.getCriteriaBuilder();
        CriteriaQuery<LetterEntity> query = criteria.createQuery(LetterEntity.class);
        Root<LetterEntity> letter = query.from(LetterEntity.class);
        Path<LetterKey> id = letter.get("id");
        Predicate[] ranges = sequences.stream()
                .map(sequence -> criteria.and(
                        criteria.equal(id.get("component"), sequence.id().component()),
                        criteria.equal(id.get("sequence"), sequence.id().sequence()),
                        criteria.ge(id.<Long>get("number"), sequence.first()),
                        criteria.lt(id.<Long>get("number"), sequence.first() + most)))
                .toArray(Predicate[]::new);
        return query.select(letter).where(criteria.or(ranges)).orderBy(criteria.asc(id.get("number")));
    }

    QueueCounts counts(String component) {
        QueueEntity queue = session.find(QueueEntity.class, component);
        return queue == null ? QueueCounts.EMPTY : queue.counts();
    }

    private SelectionQuery<SequenceEntity> select(String condition) {
        return session.createSelectionQuery("from HoldfastSequence s where " + condition, SequenceEntity.class);
    }

    private static List<ParkedSequence> sequences(SelectionQuery<SequenceEntity> query, int limit) {
        return query.setMaxResults(limit)
                .getResultStream()
                .map(SequenceEntity::sequence)
                .toList();
    }

    private static List<DeadLetter> letters(SelectionQuery<LetterEntity> query) {
        return query.getResultStream().map(LetterEntity::letter).toList();
    }
}
