package io.holdfast.jpa;

import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.LetterReads;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SagaLetters;
import io.holdfast.deadletter.SequenceCursor;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.jdbc.JdbcStore;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads letters as entities, each time in a short session of its own. Changes run in a JPA transaction, under the head
 * lock.
 */
final class JpaDeadLetterStore implements DeadLetterStore {

    private final SessionFactory factory;
    private final JdbcStore jdbcStore;

    JpaDeadLetterStore(SessionFactory factory, JdbcStore joined) {
        this.factory = factory;
        this.jdbcStore = joined;
    }

    @Override
    public List<ParkedSequence> findSequences(
            String consumer, int number, int mask, Set<SequenceState> states, int limit) {
        return read(
                "reading the parked sequences of " + consumer,
                letters -> letters.findSequences(consumer, number, mask, states, limit));
    }

    @Override
    public List<ParkedSequence> findSequences(Collection<SequenceId> ids) {
        return read("reading parked sequences", letters -> letters.findSequences(ids));
    }

    @Override
    public Optional<ParkedSequence> find(SequenceId sequence) {
        return read("reading a parked sequence of " + sequence.component(), letters -> letters.find(sequence));
    }

    @Override
    public List<ParkedSequence> findByNextAttempt(String component, @Nullable SequenceCursor after, int limit) {
        return read(
                "reading the sequences of " + component + " by next attempt",
                letters -> letters.findByNextAttempt(component, after, limit));
    }

    @Override
    public List<ParkedSequence> findByAge(String component, @Nullable SequenceCursor after, int limit) {
        return read(
                "reading the sequences of " + component + " by age",
                letters -> letters.findByAge(component, after, limit));
    }

    @Override
    public List<ParkedSequence> findNewest(String component, @Nullable SequenceCursor before, int limit) {
        return read(
                "reading the newest sequences of " + component,
                letters -> letters.findNewest(component, before, limit));
    }

    @Override
    public Optional<Instant> findOldestPending(String component) {
        return read(
                "reading the oldest pending sequence of " + component, letters -> letters.findOldestPending(component));
    }

    @Override
    public List<DeadLetter> findLetters(SequenceId sequence, long fromNumber, int limit) {
        return read(
                "reading letters of " + sequence.component(),
                letters -> letters.findLetters(sequence, fromNumber, limit));
    }

    @Override
    public Map<SequenceId, List<DeadLetter>> findFirstLetters(Collection<ParkedSequence> sequences, int most) {
        return read("reading the first letters of sequences", letters -> letters.findFirstLetters(sequences, most));
    }

    /** Reads with JDBC: the result contains no entity, and only SQL can force a lookup per saga in the index. */
    @Override
    public Map<String, SagaLetters> findSagaLetters(Collection<String> sagaIds, int most) {
        return jdbcStore.deadLetterStore().findSagaLetters(sagaIds, most);
    }

    @Override
    public Optional<DeadLetter> findLetter(String component, UUID event) {
        return read("reading a letter of " + component, letters -> letters.findLetter(component, event));
    }

    @Override
    public QueueCounts counts(String component) {
        return read("counting the letters of " + component, letters -> letters.counts(component));
    }

    @Override
    public void change(String consumer, Function<LetterReads, LetterWrites> change) {
        jdbcStore.deadLetterStore().change(consumer, change);
    }

    private <T> T read(String what, Function<LetterQueries, T> query) {
        return jdbcStore.read(
                what,
                connection -> PersistenceErrors.translateErrors(what, () -> {
                    try (Session session =
                            factory.withOptions().connection(connection).openSession()) {
                        session.setDefaultReadOnly(true);
                        return query.apply(new LetterQueries(session));
                    }
                }));
    }
}
