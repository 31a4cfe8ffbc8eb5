package io.holdfast.deadline.firing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.RetryableException;
import io.holdfast.deadline.DeadlineClock;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.fixture.ManualClock;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.token.TokenStore;
import io.holdfast.worker.SegmentLease;
import io.holdfast.worker.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class TimekeeperTests {

    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private InMemoryStore store = new InMemoryStore("orders", clock);
    private final List<String> runs = new ArrayList<>();
    private boolean storeDown;

    private TokenStore tokens() {
        return (TokenStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {TokenStore.class}, (proxy, method, arguments) -> {
                    if (storeDown) {
                        throw new RetryableException("the store is down");
                    }
                    try {
                        return method.invoke(store.tokenStore(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Timekeeper timekeeper(String replica, DueTask... tasks) {
        return timekeeper(replica, CHECK_INTERVAL, tasks);
    }

    private Timekeeper timekeeper(String replica, Duration checkInterval, DueTask... tasks) {
        TokenStore tokens = tokens();
        DeadlineClock deadlines = new DeadlineClock("orders", tokens::time, clock);
        return new Timekeeper("orders", tokens, replica, clock, deadlines, checkInterval, List.of(tasks));
    }

    private DueTask recording(String name) {
        return now -> {
            runs.add(name);
            return Optional.empty();
        };
    }

    @Test
    void continuesAfterAFailoverThatLostItsSegment() {
        Timekeeper timekeeper = timekeeper("one", recording("one"));
        timekeeper.step();
        runs.clear();
        store = new InMemoryStore("orders", clock);

        clock.advance(CHECK_INTERVAL);
        timekeeper.step();
        clock.advance(SECOND);
        timekeeper.step();

        assertThat(runs).containsExactly("one");
    }

    @Test
    void runsTheTasksOnOneReplica() {
        Timekeeper one = timekeeper("one", recording("one"));
        Timekeeper two = timekeeper("two", recording("two"));

        assertThat(one.step()).isEqualTo(CHECK_INTERVAL);
        assertThat(two.step()).isEqualTo(SECOND);
        one.step();

        assertThat(runs).containsExactly("one", "one");
    }

    @Test
    void continuesOnAnotherReplicaWhenTheLeaseExpires() {
        Timekeeper one = timekeeper("one", recording("one"));
        Timekeeper two = timekeeper("two", recording("two"));
        one.step();
        two.step();

        clock.advance(SegmentLease.DEFAULT_LEASE.plus(SECOND));
        two.step();
        one.step();

        assertThat(runs).containsExactly("one", "two");
    }

    @Test
    void continuesOnAnotherReplicaAfterARelease() {
        Timekeeper one = timekeeper("one", recording("one"));
        Timekeeper two = timekeeper("two", recording("two"));
        one.step();

        one.release();
        two.step();

        assertThat(runs).containsExactly("one", "two");
    }

    @Test
    void renewsTheLease() {
        Timekeeper one = timekeeper("one", recording("one"));
        Timekeeper two = timekeeper("two", recording("two"));

        for (int second = 0; second < 30; second++) {
            one.step();
            two.step();
            clock.advance(SECOND);
        }

        assertThat(runs).hasSize(30).containsOnly("one");
    }

    @Test
    void waitsUntilTheNextTaskIsDueButNotLongerThanTheCheckInterval() {
        AtomicReference<Optional<Instant>> next = new AtomicReference<>(Optional.empty());
        Timekeeper timekeeper = timekeeper("one", recording("other"), now -> next.get());

        next.set(Optional.of(clock.instant().plusMillis(300)));
        assertThat(timekeeper.step()).isEqualTo(Duration.ofMillis(300));
        next.set(Optional.of(clock.instant().minusMillis(300)));
        assertThat(timekeeper.step()).isEqualTo(Duration.ZERO);
        next.set(Optional.of(clock.instant().plusSeconds(3600)));
        assertThat(timekeeper.step()).isEqualTo(CHECK_INTERVAL);
    }

    @Test
    void wakesForARowThatIsDueEarlier() {
        AtomicInteger count = new AtomicInteger();
        Timekeeper timekeeper = timekeeper("one", Duration.ofHours(1), now -> {
            count.incrementAndGet();
            return Optional.empty();
        });
        try (Worker worker = timekeeper.start()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> count.get() == 1);

            // The worker may still be about to wait. It is woken either way, so the second run follows.
            timekeeper.wakeBefore(clock.instant().plusSeconds(1));

            await().atMost(Duration.ofSeconds(60)).until(() -> count.get() >= 2);
            assertThat(worker.isTerminated()).isFalse();
        }
    }

    @Test
    void runsAgainForARowThatIsCommittedDuringTheRun() {
        AtomicInteger count = new AtomicInteger();
        AtomicReference<Timekeeper> self = new AtomicReference<>();
        self.set(timekeeper("one", Duration.ofHours(1), now -> {
            if (count.incrementAndGet() == 1) {
                self.get().wakeBefore(now.plusMillis(1));
            }
            return Optional.empty();
        }));
        try (Worker worker = self.get().start()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> count.get() == 2);
            assertThat(worker.isTerminated()).isFalse();
        }
    }

    @Test
    void retriesWhileTheStoreIsDown() {
        Timekeeper timekeeper = timekeeper("one", recording("one"));
        storeDown = true;
        assertThat(timekeeper.step()).isEqualTo(SECOND);
        assertThat(timekeeper.step()).isEqualTo(SECOND);
        assertThat(runs).isEmpty();

        storeDown = false;

        assertThat(timekeeper.step()).isEqualTo(CHECK_INTERVAL);
        assertThat(runs).containsExactly("one");
    }

    @Test
    void runsTheOtherTasksIfOneFails() {
        Timekeeper timekeeper = timekeeper(
                "one",
                now -> {
                    throw new RetryableException("the store is down");
                },
                recording("one"));

        assertThat(timekeeper.step()).isEqualTo(SECOND);

        assertThat(runs).containsExactly("one");
    }

    @Test
    void runsTheOtherTasksIfOneHasADefect() {
        Timekeeper timekeeper = timekeeper(
                "one",
                now -> {
                    throw new IllegalStateException("a defect");
                },
                recording("one"));

        assertThatThrownBy(timekeeper::step).isInstanceOf(IllegalStateException.class);

        assertThat(runs).containsExactly("one");
    }

    @Test
    void handsOverWhatOnlyAnotherVersionCanDo() {
        Timekeeper older = timekeeper("older", unsupported(), recording("older"));
        Timekeeper newer = timekeeper("newer", recording("newer"));

        Duration wait = older.step();
        older.step(); // woken by a completed unit
        newer.step();
        clock.advance(wait);
        older.step();

        assertThat(runs).containsExactly("older", "newer");
    }

    @Test
    void continuesIfNoOtherVersionRuns() {
        Timekeeper older = timekeeper("older", unsupported(), recording("older"));

        clock.advance(older.step());
        older.step();

        assertThat(runs).containsExactly("older", "older");
    }

    private static DueTask unsupported() {
        return now -> {
            throw new UnsupportedHereException("row deadlines/a has revision 2", "Start that version");
        };
    }
}
