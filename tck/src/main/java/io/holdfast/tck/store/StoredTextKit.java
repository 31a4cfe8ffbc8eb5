package io.holdfast.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.RowUpdate;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.QueueLimits;
import io.holdfast.deadletter.SequencedDeadLetterQueue;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.Payload;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.EngineKit;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.view.ViewRows;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Text is stored unchanged or refused: what a caller gets equals what a replica reads that starts later. Otherwise the
 * state in the memory of one replica differs from the log and from all other replicas.
 */
public abstract class StoredTextKit extends EngineKit {

    private static final AggregateType<Noted> NOTES = AggregateType.of("notes", Noted.class, new Noted(""))
            .on(Noted.class, (state, event) -> event)
            .snapshotEvery(1)
            .build();

    /** Texts of JSON that a store would refuse or change. */
    static List<String> unstorable() {
        return List.of("hi \ud83d", "\ude00", "\ud83d\ud83d\ude00", "\ude00\ud83d", "\ud83d hi");
    }

    /** Texts that look dangerous and that every store must keep. */
    static List<String> storable() {
        String everyCharacter = IntStream.rangeClosed(0, Character.MAX_VALUE)
                .filter(character -> !Character.isSurrogate((char) character))
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        return List.of(
                everyCharacter,
                "😀",
                Character.toString(Character.MAX_CODE_POINT),
                "\0",
                "\\ud83d",
                "'; drop table holdfast_event; --",
                "?",
                "a\r\n\tb ");
    }

    /** Returns the store as a process sees it that starts now. */
    private Store restarted() {
        return harness().replica();
    }

    private EventMessage readBack() {
        return restarted().eventLog().readAll(0, 10).get(0);
    }

    @Nested
    class Events {

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#storable")
        void areReadBackAsAnswered(String text) {
            EventMessage answered = engine().run(context -> context.append(NOTES, "a", new Noted(text)))
                    .events()
                    .get(0);

            assertThat(readBack()).isEqualTo(answered);
            assertThat(codec.decode(readBack().payload(), Noted.class)).isEqualTo(new Noted(text));
            assertThat(new EngineUnderTest(restarted(), harness().clock())
                            .controller()
                            .state(NOTES, "a"))
                    .as("the state, from a snapshot")
                    .isEqualTo(engine().controller().state(NOTES, "a"))
                    .isEqualTo(new Noted(text));
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#unstorable")
        void areRefusedIfTheyWouldChange(String text) {
            CompletableFuture<?> result = engine().submit(context -> context.append(NOTES, "a", new Noted(text)));
            engine().commit();

            assertThat(failure(result))
                    .isInstanceOf(PermanentException.class)
                    .hasMessageContaining("payload of Noted contains NUL or an unpaired surrogate at character ")
                    .hasMessageNotContaining(text);
            assertThat(store().eventLog().position()).isZero();
        }
    }

    @Nested
    class Rows {

        private CompletableFuture<?> put(String text) {
            RowUpdate<Noted> update = new RowUpdate<>(BOARD, "row", row -> new Noted(text));
            Part part = new Part(newPartId(), Metadata.none(), List.of(), List.of(update), false);
            CompletableFuture<?> result = engine().submit(unit(List.of(part)));
            engine().commit();
            return result;
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#storable")
        void areReadBackAsPut(String text) {
            put(text).join();

            assertThat(new ViewRows(restarted().viewStore(), codec).find(BOARD, "row"))
                    .contains(new Noted(text));
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#unstorable")
        void areRefusedIfTheyWouldChange(String text) {
            CompletableFuture<?> result = put(text);

            assertThat(result).isDone();
            assertThat(new ViewRows(restarted().viewStore(), codec).find(BOARD, "row"))
                    .isEmpty();
        }
    }

    @Nested
    class OutboxEntries {

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#storable")
        void areReadBackAsWritten(String text) {
            Payload payload = codec.encode(new Noted(text));
            harness().inTransaction(() -> store().outboxStore()
                    .write("rows", "a", new NewEvent(payload, Metadata.none())));
            store().outboxStore().assignPositions(10);

            assertThat(readBack().payload()).isEqualTo(payload);
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#unstorable")
        void areRefusedIfTheyWouldChange(String text) {
            assertThatExceptionOfType(PermanentException.class).isThrownBy(() -> entry("\"" + text + "\""));
        }

        @Test
        void areRefusedWithNul() {
            assertThatExceptionOfType(PermanentException.class).isThrownBy(() -> entry("\"\0\""));
        }

        private static NewEvent entry(String json) {
            return new NewEvent(new Payload("Noted", 1, json), Metadata.none());
        }
    }

    @Nested
    class Letters {

        private SequencedDeadLetterQueue queue(Store in) {
            return new SequencedDeadLetterQueue(
                    in.deadLetterStore(),
                    "queue",
                    "kit",
                    "kit/kit/c",
                    QueueLimits.DEFAULT,
                    harness().clock());
        }

        private EventMessage event() {
            return engine().run(context -> context.append(NOTES, "a", new Noted("letter")))
                    .events()
                    .get(0);
        }

        @Test
        void areFoundByTheirSequenceIdentifier() {
            String sequence = "😀 \uffff \u0001 '";
            EventMessage event = event();

            queue(store()).enqueue(sequence, event, Cause.of(new IllegalStateException("parked")));

            assertThat(queue(restarted()).deadLetterSequence(sequence))
                    .extracting(DeadLetter::message)
                    .containsExactly(event);
        }

        @ParameterizedTest
        @MethodSource("io.holdfast.tck.store.StoredTextKit#unstorable")
        void areRefusedIfTheirSequenceIdentifierWouldChange(String sequence) {
            EventMessage event = event();

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> queue(store()).enqueue(sequence, event, Cause.of(new IllegalStateException())))
                    .withMessageContaining("sequence identifier");
        }

        @Test
        void areRefusedIfTheirPayloadWouldChange() {
            EventMessage event = event();
            EventMessage other = new EventMessage(
                    event.id(),
                    event.source(),
                    event.stream(),
                    event.key(),
                    event.version(),
                    event.occurredAt(),
                    event.metadata(),
                    new Payload("Noted", 1, "\"\ud83d\""),
                    event.logPosition());

            assertThatExceptionOfType(PermanentException.class)
                    .isThrownBy(() -> queue(store()).enqueue("s", other, Cause.of(new IllegalStateException())));
        }
    }
}
