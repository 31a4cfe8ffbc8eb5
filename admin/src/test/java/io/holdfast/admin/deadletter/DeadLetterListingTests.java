package io.holdfast.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.Warehouse;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.deadletter.Cause;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.LetterWrites;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.EventMessage;
import io.holdfast.event.LogIdentity;
import io.holdfast.event.LogPosition;
import io.holdfast.event.Metadata;
import io.holdfast.event.Payload;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import io.holdfast.token.Segments;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bounds how much the listing reads when ten thousand sequences are parked. */
class DeadLetterListingTests {

    private static final int MANY = 10_000;
    private static final Instant TIME = Instant.parse("2026-02-03T04:05:06Z");

    private static final LogIdentity LOG = new LogIdentity(UUID.randomUUID(), 1);

    private static final InMemoryStore STORE = new InMemoryStore("warehouse", Clock.systemUTC());
    private static final HoldfastService SERVICE = HoldfastService.named("warehouse", STORE, new InMemoryWire())
            .owns("orders")
            .processor("shipping", processor -> processor
                    .reads("orders")
                    .calls(Component.of("packing", new Warehouse().new Packing())
                            .build())
                    .calls(Component.of("labelling", new Warehouse.Labelling()).build()))
            .build();
    private final StoreReadCounter reads = new StoreReadCounter();
    private final DeadLetterListing listing =
            new DeadLetterListing(reads.wrap(SERVICE.deadLetters()), new ServiceComponents(SERVICE));

    @BeforeAll
    static void parkMany() {
        park("warehouse/shipping/packing", "ItemOrdered", 0);
        park("warehouse/shipping/labelling", "ItemReturned", 1);
    }

    /** Parks half of the sequences, one every two seconds, so that the components alternate. */
    private static void park(String component, String type, int offset) {
        List<DeadLetter> letters = new ArrayList<>();
        List<ParkedSequence> sequences = new ArrayList<>();
        for (int number = offset; number < MANY; number += 2) {
            SequenceId id = new SequenceId(component, "orders/" + number);
            Instant since = TIME.plusSeconds(number);
            ParkedSequence first = ParkedSequence.start(id, "shipping", Segments.hash(id.sequence()), since);
            sequences.add(number % 10 == 0 ? first.retrying(1, since) : first.pending(1, since));
            letters.add(DeadLetter.notAttempted(id, first.first(), event(number, type), since)
                    .failed(Cause.of(new IllegalStateException("number " + number)), "replica", since));
        }
        STORE.deadLetterStore()
                .change("shipping", parked -> new LetterWrites(letters, List.of(), List.of(), sequences, List.of()));
    }

    private static EventMessage event(int number, String type) {
        UUID id = UUID.randomUUID();
        return new EventMessage(
                id,
                "warehouse",
                "orders",
                Integer.toString(number),
                1,
                TIME,
                Metadata.none(),
                new Payload(type, 1, "{}"),
                new LogPosition(LOG, number + 1, 0, null));
    }

    private DeadLetterPage find(int limit, int page, @Nullable SequenceState status, @Nullable String eventType) {
        return listing.find(new DeadLetterQuery(limit, page, status, null, null, null, eventType, null));
    }

    private static List<String> keys(DeadLetterPage page) {
        return page.entries().stream().map(DeadLetterEntry::key).toList();
    }

    @Test
    void readsOnePagePerComponent() {
        DeadLetterPage page = find(20, 0, null, null);

        assertThat(keys(page)).hasSize(20).startsWith("9999", "9998", "9997").endsWith("9980");
        assertThat(page.total()).isEqualTo(MANY);
        assertThat(reads.sequences).hasValueLessThanOrEqualTo(60);
        assertThat(reads.letters).hasValue(20);
        assertThat(reads.calls).hasValueLessThanOrEqualTo(8);
    }

    @Test
    void readsSequencesOfEarlierPagesWithoutTheirLetters() {
        DeadLetterPage page = find(20, 50, null, null);

        assertThat(keys(page)).hasSize(20).startsWith("8999").endsWith("8980");
        assertThat(reads.sequences).hasValueLessThanOrEqualTo(2_500);
        assertThat(reads.letters).hasValue(20);
    }

    @Test
    void readsNothingBeyondTheLastPage() {
        DeadLetterPage page = find(500, Integer.MAX_VALUE, null, null);

        assertThat(page.entries()).isEmpty();
        assertThat(page.total()).isEqualTo(MANY);
        assertThat(reads.sequences).hasValue(0);
    }

    @Test
    void countsPendingLettersWithoutReadingThem() {
        DeadLetterPage page = find(20, 0, SequenceState.PENDING, null);

        assertThat(keys(page)).hasSize(20).contains("9991").doesNotContain("9990");
        assertThat(page.total()).isEqualTo(MANY - MANY / 10);
        assertThat(reads.sequences).hasValueLessThanOrEqualTo(80);
    }

    @Test
    void readsAllSequencesForOtherStates() {
        DeadLetterPage page = find(20, 1, SequenceState.RETRYING, null);

        assertThat(keys(page)).hasSize(20).startsWith("9790", "9780");
        assertThat(page.total()).isEqualTo(MANY / 10);
        assertThat(reads.letters).as("letters of the page only").hasValue(20);
    }

    @Test
    void readsAllLettersInBatchesForAnEventType() {
        DeadLetterPage page = find(20, 1, null, "ItemReturned");

        assertThat(keys(page)).hasSize(20).startsWith("9959", "9957");
        assertThat(page.total()).isEqualTo(MANY / 2);
        assertThat(reads.calls).hasValueLessThanOrEqualTo(60);
    }
}
