package io.holdfast.tck.deadletter;

import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventIds;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.StreamPosition;
import io.holdfast.tck.harness.Noted;
import io.holdfast.token.Mark;
import io.holdfast.token.Segments;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Creates sequences and letters as a processor parks them: the first letter has failed, the others are parked behind
 * it.
 */
public final class ParkedLetters {

    /** A log of another service. The event of a letter need not be in the store's own log. */
    static final LogIdentity LOG = new LogIdentity(EventIds.ofCommand("kit", "another log"), 3);

    private final Clock clock;
    private final PayloadCodec codec;

    public ParkedLetters(Clock clock, PayloadCodec codec) {
        this.clock = clock;
        this.codec = codec;
    }

    public EventMessage event(String stream, String key, long position) {
        LogPosition logPosition = position == 1
                ? new LogPosition(LOG, 1, 0, null)
                : new LogPosition(LOG, position, position - 1, EventIds.random(clock.instant()));
        return new EventMessage(
                EventIds.random(clock.instant()),
                "another-service",
                stream,
                key,
                position,
                clock.instant(),
                Metadata.none().withCorrelationId("kit"),
                codec.encode(new Noted(stream + "/" + key + "@" + position)),
                logPosition);
    }

    /** Creates a sequence of events of one stream at these positions. */
    public Parked parked(String consumer, String component, String sequence, String stream, long... positions) {
        List<EventMessage> events = new ArrayList<>();
        for (long position : positions) {
            events.add(event(stream, sequence, position));
        }
        return parked(consumer, component, sequence, events);
    }

    public Parked parked(String consumer, String component, String sequence, List<EventMessage> events) {
        SequenceId id = new SequenceId(component, sequence);
        Instant now = clock.instant();
        List<DeadLetter> letters = new ArrayList<>();
        for (EventMessage event : events) {
            DeadLetter letter = DeadLetter.notAttempted(id, letters.size() + 1L, event, now);
            letters.add(letters.isEmpty() ? letter.failed(new Cause("Boom", "no luck", "at kit"), "kit", now) : letter);
        }
        return new Parked(
                new ParkedSequence(
                                id,
                                consumer,
                                Segments.hash(sequence),
                                1,
                                letters.size(),
                                letters.size(),
                                SequenceState.RETRYING,
                                1,
                                now.plus(Duration.ofMinutes(1)),
                                now,
                                null,
                                null,
                                null,
                                null)
                        .withCauseOf(letters.get(0)),
                letters);
    }

    public static StreamPosition at(long position) {
        return new StreamPosition(
                LOG, position, position == 0 ? null : EventIds.ofCommand("kit", "event at " + position));
    }

    /** Returns the position from which a restored source continues, in the epoch after that of {@link #at}. */
    public static StreamPosition restoredTo(long position) {
        return new StreamPosition(
                new LogIdentity(LOG.id(), LOG.epoch() + 1),
                position,
                at(position).id());
    }

    public static Mark mark(String stream, long position, String component) {
        return new Mark(stream, position, EventIds.ofCommand("kit", "event at " + position), component);
    }

    /** A sequence and its letters. */
    public record Parked(ParkedSequence sequence, List<DeadLetter> letters) {

        public SequenceId id() {
            return sequence.id();
        }

        LetterWrites writes() {
            return new LetterWrites(letters, List.of(), List.of(), List.of(sequence), List.of());
        }

        /** Returns the writes that remove the sequence and all its letters. */
        LetterWrites removeWrites() {
            return new LetterWrites(
                    List.of(),
                    List.of(),
                    letters.stream().map(DeadLetter::id).toList(),
                    List.of(),
                    List.of(sequence.id()));
        }

        /** Returns the same letters with a changed state of their sequence. */
        Parked with(UnaryOperator<ParkedSequence> change) {
            return new Parked(change.apply(sequence), letters);
        }
    }

    /** Returns the writes that park several sequences. */
    public static LetterWrites parkWrites(List<Parked> all) {
        return new LetterWrites(
                all.stream().flatMap(parked -> parked.letters().stream()).toList(),
                List.of(),
                List.of(),
                all.stream().map(Parked::sequence).toList(),
                List.of());
    }
}
