package io.holdfast.deadline.firing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.CommitterSettings;
import io.holdfast.commit.group.GroupCommitter;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.event.EventIds;
import io.holdfast.event.Metadata;
import io.holdfast.event.PayloadCodec;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlines whose clocks are set while they wait: none fires early, and none fires late. */
class ClockJumpTests {

    private static final Duration DELAY = Duration.ofMinutes(30);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock process = new ManualClock();
    private final ManualClock storeClock = new ManualClock();
    private final InMemoryStore store = new InMemoryStore("orders", storeClock);
    private final PayloadCodec codec = new PayloadCodec();
    private final GroupCommitter committer = committer(process);
    private final DeadlineClock clock = new DeadlineClock("orders", store.tokenStore()::time, process);
    private final Timekeeper timekeeper = new Timekeeper(
            "orders",
            store.tokenStore(),
            "one",
            process,
            clock,
            SECOND,
            List.of(new DeadlineFiring("orders", store.viewStore(), committer, codec, () -> {})));

    private GroupCommitter committer(Clock wallClock) {
        return new GroupCommitter(
                CommitterSettings.of("orders"),
                store.commitStore(),
                store.eventLog(),
                new AggregateStates(store.eventLog(), codec),
                store.viewStore(),
                codec,
                wallClock);
    }

    @BeforeEach
    void useDeadlineClock() {
        committer.deadlineTime(clock::now);
        timekeeper.step();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void ofTheProcessDoNotMatter(Duration difference) {
        schedule();

        process.setForward(difference);

        assertFiresOnTime();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void ofTheStoreDoNotMatter(Duration difference) {
        schedule();

        storeClock.setForward(difference);

        assertFiresOnTime();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "PT-1H"})
    void ofBothBeforeTheScheduleDoNotMatter(Duration difference) {
        process.setForward(difference);
        storeClock.setForward(difference);
        timekeeper.step();

        schedule();

        assertFiresOnTime();
    }

    private void schedule() {
        Decision decision = context -> context.schedule("reminder", "o-1", DELAY, new Reminder());
        committer.submit(CommitUnit.of(
                Part.of(new PartId(EventIds.random(process.instant()), "orders/test"), Metadata.none(), decision)));
        committer.commitWaiting();
    }

    private void assertFiresOnTime() {
        passTime(DELAY.minus(SECOND));
        assertThat(fired()).isZero();
        passTime(SECOND);
        assertThat(fired()).isEqualTo(1);
    }

    private void passTime(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECOND)) {
            process.advance(SECOND);
            storeClock.advance(SECOND);
            timekeeper.step();
            committer.commitWaiting();
        }
    }

    private int fired() {
        return store.eventLog().readStream("orders.deadlines", 0, 10).size();
    }

    record Reminder() {}
}
