package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ManagedComponent;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.event.Payload;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads one letter with its full context. */
final class LetterInspection {

    /** Keeps numbers exactly as they were written. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final DeadLetterStore store;

    LetterInspection(DeadLetterStore store) {
        this.store = store;
    }

    Optional<DeadLetterDetails> inspect(EntryReference entry) {
        return store.findLetter(entry.component().id(), entry.event()).flatMap(letter -> store.find(letter.sequence())
                .map(sequence -> details(entry.component(), sequence, letter)));
    }

    private DeadLetterDetails details(ManagedComponent component, ParkedSequence sequence, DeadLetter letter) {
        long from = Math.max(sequence.first(), letter.number() - DeadLetterDetails.NEIGHBOURS);
        List<DeadLetter> neighbours = store.findLetters(sequence.id(), from, 2 * DeadLetterDetails.NEIGHBOURS + 1);
        return new DeadLetterDetails(
                DeadLetterEntry.of(component, sequence, letter, position(component, sequence, letter)),
                payload(letter.message().payload()),
                letter.message().payload().revision(),
                letter.cause(),
                letter.attempts(),
                letter.diagnostics(),
                letter.message().metadata().asMap(),
                ids(component, neighbours, other -> other.number() < letter.number()),
                ids(component, neighbours, other -> other.number() > letter.number()),
                letter.message().occurredAt(),
                letter.message().source(),
                letter.message().version(),
                letter.message().position());
    }

    private static List<String> ids(
            ManagedComponent component, List<DeadLetter> letters, Predicate<DeadLetter> filter) {
        return letters.stream()
                .filter(filter)
                .limit(DeadLetterDetails.NEIGHBOURS)
                .map(letter -> component.entryId(letter.message().id()))
                .toList();
    }

    /** Discarded letters leave gaps. Only a sequence with gaps needs its letters counted. */
    private static int position(ManagedComponent component, ParkedSequence sequence, DeadLetter letter) {
        if (sequence.last() - sequence.first() + 1 == sequence.size()) {
            return (int) (letter.number() - sequence.first()) + 1;
        }
        int position = 1;
        for (DeadLetter other :
                component.queue().deadLetterSequence(sequence.id().sequence())) {
            if (other.number() >= letter.number()) {
                break;
            }
            position++;
        }
        return position;
    }

    private static @Nullable Object payload(Payload payload) {
        if (payload.isWithoutContent()) {
            return null;
        }
        try {
            return JSON.readValue(payload.json(), Object.class);
        } catch (JacksonException e) {
            return payload.json(); // not written by the codec: show the raw text
        }
    }
}
