package io.holdfast.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateStates;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitUnit;
import io.holdfast.commit.CommitterSettings;
import io.holdfast.commit.GroupCommitter;
import io.holdfast.commit.Part;
import io.holdfast.commit.PartId;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.NewEvent;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutboxPublisherTests {

    private static final AggregateType<Word> WORDS = AggregateType.of("words", Word.class, new Word(""))
            .on(Word.class, (last, word) -> word)
            .build();

    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final InMemoryStore store = new InMemoryStore("test", clock);
    private final InMemoryWire wire = new InMemoryWire();
    private final GroupCommitter committer = new GroupCommitter(
            CommitterSettings.of("test"),
            store.commitStore(),
            store.eventLog(),
            new AggregateStates(store.eventLog(), codec),
            store.viewStore(),
            codec,
            clock);

    @Test
    void publishesInPositionOrderAcrossBatches() {
        for (int i = 1; i <= 25; i++) {
            say("word " + i);
        }

        run(publisher("one"));

        assertThat(published())
                .extracting(EventMessage::position)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(publisher("one").pending()).isZero();
    }

    @Test
    void givesPositionsToWhatRowKeepersWrote() {
        store.transactions().run(() -> store.outboxStore()
                .write("rows", "a", new NewEvent(codec.encode(new Word("row")), Metadata.none())));

        run(publisher("one"));

        assertThat(wire.reader("rows").poll(10)).hasSize(1);
    }

    @Test
    void waitsForAWireThatIsDownHoweverLong() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        say("first");
        for (int minute = 0; minute < 5; minute++) {
            run(publisher);
            clock.advance(Duration.ofMinutes(1));
            say("word " + minute);
        }
        assertThat(publisher.pending()).isEqualTo(6);
        assertThat(publisher.step()).isLessThanOrEqualTo(Duration.ofSeconds(6));

        wire.reconnect();
        clock.advance(Duration.ofSeconds(6));
        run(publisher);

        assertThat(published()).hasSize(6);
        assertThat(publisher.pending()).isZero();
    }

    @Test
    void doesNotKnockAtAWireThatIsDownWheneverSomethingIsCommitted() {
        OutboxPublisher publisher = publisher("one");
        wire.disconnect();
        say("first");

        run(publisher);

        assertThat(publisher.step()).isBetween(Duration.ZERO, Duration.ofMillis(120));
    }

    @Test
    void doesNotFloodTheWireWhileItsPositionCannotBeStored() {
        say("first");
        committer.close();
        OutboxPublisher publisher = publisher("one");

        for (int i = 0; i < 10; i++) {
            publisher.step();
        }
        assertThat(published()).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        publisher.step();
        publisher.step();
        assertThat(published()).hasSize(2);
        assertThat(publisher.step()).isBetween(Duration.ofMillis(160), Duration.ofMillis(240));
    }

    @Test
    void publishesAgainWhatAProcessThatDiedMayHavePublished() {
        say("first");
        OutboxPublisher dies = publisher("one");
        dies.step();
        assertThat(published()).hasSize(1);

        clock.advance(Duration.ofSeconds(11));
        run(publisher("two"));

        assertThat(published()).hasSize(2);
        assertThat(published()).extracting(EventMessage::position).containsOnly(1L);
    }

    @Test
    void leavesPublishingToWhoeverHoldsTheLease() {
        run(publisher("one"));
        say("first");

        run(publisher("two"));
        assertThat(published()).isEmpty();

        clock.advance(Duration.ofSeconds(11));
        run(publisher("two"));
        assertThat(published()).hasSize(1);
    }

    @Test
    void repeatsHeadsEverySecondAlsoWhenIdle() {
        OutboxPublisher publisher = publisher("one");
        say("first");
        run(publisher);
        wire.restart();
        run(publisher);
        assertThat(wire.head("words")).isEmpty();

        clock.advance(OutboxPublisher.ANNOUNCE_EVERY);
        run(publisher);

        assertThat(wire.head("words")).contains(store.eventLog().head("words"));
    }

    private void run(OutboxPublisher publisher) {
        for (int i = 0; i < 10; i++) {
            publisher.step();
            committer.commitWaiting();
        }
    }

    private OutboxPublisher publisher(String owner) {
        return new OutboxPublisher(
                store.eventLog(), store.outboxStore(), wire, store.tokenStore(), committer, owner, clock, 10);
    }

    private List<EventMessage> published() {
        return wire.reader("words").poll(100);
    }

    private void say(String text) {
        var answer = committer.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"),
                Metadata.none(),
                context -> context.append(WORDS, "a", new Word(text)))));
        committer.commitWaiting();
        answer.join();
    }

    record Word(String text) {}
}
