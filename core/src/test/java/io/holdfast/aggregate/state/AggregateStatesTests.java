package io.holdfast.aggregate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.event.EventType;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AggregateStatesTests {

    private static final AggregateType<Count> COUNTER = counter().build();

    private final ManualClock clock = new ManualClock();
    private final PayloadCodec codec = new PayloadCodec();
    private final InMemoryStore store = new InMemoryStore("test", clock);

    @Test
    void foldsFromTheNewestSnapshot() {
        count(COUNTER, 25);

        assertThat(store.eventLog().findSnapshot("counters", "a").orElseThrow().version())
                .isEqualTo(20);
        AggregateState<Count> newest = fresh().newest(COUNTER, "a");
        assertThat(newest.version()).isEqualTo(25);
        assertThat(newest.state()).isEqualTo(new Count(25));
    }

    @Test
    void ignoresSnapshotOfAnOlderRevision() {
        count(COUNTER, 25);
        AggregateType<NewCount> changed = AggregateType.of("counters", NewCount.class, new NewCount(0, "new"))
                .on(Counted.class, (count, event) -> new NewCount(count.total() + 1, "new"))
                .build();

        assertThat(fresh().newest(changed, "a").state()).isEqualTo(new NewCount(25, "new"));
    }

    @Test
    void foldsMoreEventsThanOnePage() {
        AggregateType<Count> withoutSnapshots = counter().snapshotEvery(0).build();
        count(withoutSnapshots, 1_203);

        assertThat(store.eventLog().findSnapshot("counters", "a")).isEmpty();
        assertThat(fresh().newest(withoutSnapshots, "a").version()).isEqualTo(1_203);
    }

    @Test
    void bringsCachedStateUpToDateWithCommitsOfOtherReplicas() {
        AggregateStates states = fresh();
        count(COUNTER, 1);
        assertThat(states.newest(COUNTER, "a").version()).isEqualTo(1);

        count(COUNTER, 2);

        assertThat(states.recent(COUNTER, "a", store.eventLog()).version()).isEqualTo(1);
        assertThat(states.newest(COUNTER, "a").version()).isEqualTo(3);
        assertThat(states.recent(COUNTER, "a", store.eventLog()).version()).isEqualTo(3);
    }

    @Test
    void cachesAtMostItsCapacity() {
        AggregateStates one = new AggregateStates(store.eventLog(), codec, 1);
        count(COUNTER, 1);
        one.newest(COUNTER, "a");

        one.newest(COUNTER, "b");
        count(COUNTER, 1);

        assertThat(one.recent(COUNTER, "a", store.eventLog()).version()).isEqualTo(2);
    }

    @Test
    void failsOnAnEventTypeThatTheAggregateDoesNotHandle() {
        count(COUNTER, 1);
        AggregateType<Count> incomplete =
                AggregateType.of("counters", Count.class, new Count(0)).build();

        assertThatThrownBy(() -> fresh().newest(incomplete, "a"))
                .isInstanceOf(UnsupportedHereException.class)
                .hasMessageContaining("counters/a")
                .hasMessageContaining("ignoring(\"Counted\")");
    }

    @Test
    void skipsIgnoredEvents() {
        count(COUNTER, 3);
        AggregateType<Count> ignoring = AggregateType.of("counters", Count.class, new Count(0))
                .ignoring("Counted")
                .build();

        AggregateState<Count> newest = fresh().newest(ignoring, "a");
        assertThat(newest.version()).isEqualTo(3);
        assertThat(newest.state()).isEqualTo(new Count(0));
    }

    @Test
    void rejectsDuplicateEventType() {
        assertThatThrownBy(() -> counter().on(Counted.class, (count, event) -> count))
                .isInstanceOf(PermanentException.class)
                .hasMessageContaining("Counted");
    }

    private AggregateStates fresh() {
        return new AggregateStates(store.eventLog(), codec);
    }

    private static AggregateType.Builder<Count> counter() {
        return AggregateType.of("counters", Count.class, new Count(0))
                .on(Counted.class, (count, event) -> new Count(count.total() + 1))
                .snapshotEvery(10);
    }

    private void count(AggregateType<Count> type, int times) {
        GroupCommitter committer = new GroupCommitter(
                CommitterSettings.of("test"),
                store.commitStore(),
                store.eventLog(),
                fresh(),
                store.viewStore(),
                codec,
                clock);
        IntStream.range(0, times).forEach(i -> {
            PartId id = new PartId(UUID.randomUUID(), "test");
            var outcome = committer.submit(
                    CommitUnit.of(Part.of(id, Metadata.none(), context -> context.append(type, "a", new Counted()))));
            committer.commitWaiting();
            outcome.join();
        });
    }

    record Counted() {}

    record Count(int total) {}

    @EventType(value = "Count", revision = 2)
    record NewCount(int total, String since) {}
}
