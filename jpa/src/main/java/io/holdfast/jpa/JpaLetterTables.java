package io.holdfast.jpa;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterId;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.jdbc.LetterTables;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.Session;

/**
 * Writes letters in the session of a unit, in batches, one kind of statement after another, and then clears the
 * session.
 */
final class JpaLetterTables implements LetterTables {

    private static final int BATCH = 100;
    private static final String READING = "reading parked letters";

    private final Session session;
    private final LetterQueries queries;

    JpaLetterTables(Session session) {
        this.session = session;
        this.queries = new LetterQueries(session);
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return PersistenceErrors.translateErrors(READING, () -> queries.find(sequence));
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return PersistenceErrors.translateErrors(READING, () -> queries.findSequences(ids));
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return PersistenceErrors.translateErrors(READING, () -> queries.findLetters(sequence, fromNumber, limit));
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return PersistenceErrors.translateErrors(READING, () -> queries.findLetter(component, event));
    }

    @Override
    public void write(LetterWrites letters, Map<String, QueueCounts> queues) throws SQLException {
        try {
            session.clear(); // entities that were read for the decision need no dirty check
            session.setJdbcBatchSize(BATCH);
            remove(letters.removed());
            letters.added().forEach(letter -> session.persist(new LetterEntity(letter)));
            replace(letters.replaced());
            session.flush();
            deleteSequences(letters.removedSequences());
            upsert(letters.sequences());
            queues.forEach(this::upsert);
            session.flush();
            session.clear();
        } catch (RuntimeException e) {
            throw PersistenceErrors.sql(e);
        }
    }

    /** Deletes letters without loading them: their payloads can be large. */
    private void remove(List<LetterId> removed) {
        for (List<LetterId> chunk : LetterQueries.chunks(removed)) {
            session.createMutationQuery("delete from HoldfastLetter l where l.id in :ids")
                    .setParameterList("ids", chunk.stream().map(LetterKey::of).toList())
                    .executeUpdate();
        }
    }

    private void replace(List<DeadLetter> replaced) {
        Map<LetterKey, DeadLetter> byKey =
                replaced.stream().collect(Collectors.toMap(letter -> LetterKey.of(letter.id()), Function.identity()));
        queries.find(LetterEntity.class, List.copyOf(byKey.keySet())).forEach(found -> {
            DeadLetter letter = byKey.get(found.id());
            if (letter != null) {
                found.set(letter);
            }
        });
    }

    private void deleteSequences(List<SequenceId> ended) {
        for (List<SequenceId> chunk : LetterQueries.chunks(ended)) {
            session.createMutationQuery("delete from HoldfastSequence s where s.id in :ids")
                    .setParameterList("ids", chunk.stream().map(SequenceKey::of).toList())
                    .executeUpdate();
        }
    }

    private void upsert(List<ParkedSequence> sequences) {
        Map<SequenceKey, SequenceEntity> known =
                queries.findEntities(sequences.stream().map(ParkedSequence::id).toList()).stream()
                        .collect(Collectors.toMap(SequenceEntity::id, Function.identity()));
        for (ParkedSequence sequence : sequences) {
            SequenceEntity found = known.get(SequenceKey.of(sequence.id()));
            if (found == null) {
                session.persist(new SequenceEntity(sequence));
            } else {
                found.set(sequence);
            }
        }
    }

    private void upsert(String component, QueueCounts counts) {
        QueueEntity found = session.find(QueueEntity.class, component);
        QueueEntity queue = found == null ? new QueueEntity(component) : found;
        queue.set(counts);
        if (found == null) {
            session.persist(queue);
        }
    }
}
