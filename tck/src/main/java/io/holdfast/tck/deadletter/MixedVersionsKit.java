package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.tck.harness.Crash;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreHarness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two versions of a service share a store: the new one handles an event type, or has a component, that the old one
 * lacks.
 */
public abstract class MixedVersionsKit extends DeadLetterEngineKit {

    private static final int SEGMENTS = 4;
    private static final int KEYS = 8;
    private static final Duration TAKEOVER_TIME = Duration.ofSeconds(25);
    private static final String COMPONENT = StoreHarness.SERVICE + "/copier/copies";

    /** The event type that only the new version handles. */
    record Revised(String text) {}

    private static final AggregateType<Noted> ANY_INPUT = AggregateType.of("input", Noted.class, new Noted(""))
            .on(Noted.class, (state, event) -> event)
            .on(Revised.class, (state, event) -> new Noted(event.text()))
            .build();

    private CopyingReplica version1() {
        return new CopyingReplica(
                store(),
                harness().clock(),
                builder -> segments(SEGMENTS).apply(builder).version("1.0").calls(copying()));
    }

    private CopyingReplica version2() {
        return new CopyingReplica(
                replica(),
                harness().clock(),
                builder -> segments(SEGMENTS).apply(builder).version("2.0").calls(revising()));
    }

    private Component revising() {
        return Component.named(COPIES)
                .on(Noted.class, this::copy)
                .on(Revised.class, this::copyRevised)
                .resettable()
                .build();
    }

    private void copyRevised(Revised event, EventContext context) {
        copy(new Noted(event.text()), context);
    }

    private void append(String key, Object... events) {
        EngineUnderTest writer = new EngineUnderTest(store(), harness().clock());
        var unused = writer.run(context -> Stream.of(events).forEach(event -> context.append(ANY_INPUT, key, event)));
    }

    @Nested
    class RollingForward {

        @Test
        void parksTheNewTypeOutsideTheLimitsAndCountsIt() {
            CopyingReplica newer = version2();
            newer.step();
            newer.processor().release();
            CopyingReplica older = new CopyingReplica(store(), harness().clock(), builder -> queue(
                            settings -> settings.maxWaiting(1).maxSequences(1).maxSequenceSize(1))
                    .apply(builder.calls(copying())));
            for (int key = 0; key < KEYS; key++) {
                append("k" + key, new Revised("1"), new Noted("2"));
            }

            runFor(TAKEOVER_TIME, older);

            assertThat(store().deadLetterStore().counts(COMPONENT))
                    .isEqualTo(new QueueCounts(2L * KEYS, KEYS, 0, 0, 0, KEYS, 0));
            harness().passTime(ResilienceSettings.DEFAULT.maxHold());
            runFor(TAKEOVER_TIME, older);
            assertThat(store().deadLetterStore().counts(COMPONENT))
                    .isEqualTo(new QueueCounts(2L * KEYS, 0, 0, KEYS, 2L * KEYS, 0, KEYS));
            older.processor().release();
            runFor(TAKEOVER_TIME, version2());
            assertThat(output()).hasSize(2 * KEYS);
            assertThat(parked()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3, 4})
        void handlesEveryEventOnceAndInOrderWhateverTheInterleaving(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            List<CopyingReplica> replicas = new ArrayList<>(List.of(version1(), version2()));
            replicas.get(1).processor().register();
            for (int round = 0; round < 30; round++) {
                append("k" + random.nextInt(KEYS), new Revised("r" + round), new Noted("n" + round));
                int turn = random.nextInt(2);
                switch (random.nextInt(8)) {
                    case 0 -> { // killed: its claims expire
                        harness().passTime(Duration.ofSeconds(11));
                        replicas.set(turn, turn == 0 ? version1() : version2());
                    }
                    case 1 -> { // rolled back or upgraded
                        replicas.get(turn).processor().release();
                        replicas.set(turn, random.nextBoolean() ? version1() : version2());
                    }
                    default -> {
                        replicas.get(turn).step();
                        if (random.nextInt(3) > 0) {
                            replicas.get(turn).commit();
                        }
                    }
                }
                harness().passTime(Duration.ofSeconds(1));
            }
            harness().passTime(Duration.ofSeconds(11));
            runFor(TAKEOVER_TIME, version2());

            for (int key = 0; key < KEYS; key++) {
                String name = "k" + key;
                assertThat(output(name)).as(name).isEqualTo(inputTexts(name));
            }
            assertThat(parked()).isEmpty();
        }

        private List<String> inputTexts(String key) {
            return store().eventLog().readKey("input", key, 0, ALL).stream()
                    .map(event -> event.type().equals("Revised")
                            ? codec.decode(event.payload(), Revised.class).text()
                            : codec.decode(event.payload(), Noted.class).text())
                    .toList();
        }
    }

    @Nested
    class RollingBack {

        @Test
        void oldVersionContinuesWithWhatItKnowsAndTheRestDrainsAfterTheUpgrade() {
            CopyingReplica newer = version2();
            append("a", new Revised("1"));
            runFor(Duration.ofSeconds(2), newer);
            newer.processor().release();

            CopyingReplica older = version1();
            append("a", new Noted("2"));
            append("b", new Revised("3"), new Noted("4"));
            runFor(TAKEOVER_TIME, older);
            harness().passTime(ResilienceSettings.DEFAULT.maxHold());
            runFor(TAKEOVER_TIME, older);

            assertThat(output()).containsExactly("1", "2");
            assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
            runFor(TAKEOVER_TIME, older, version2());
            assertThat(output()).containsExactly("1", "2", "3", "4");
            assertThat(parked()).isEmpty();
        }

        @Test
        void crashWhileParkingOrDrainingLosesNothing() {
            version2().step();
            CopyingReplica older = version1();
            append("a", new Revised("1"), new Noted("2"));
            harness().passTime(Duration.ofSeconds(11));
            older.step();
            Crash.before(CommitPoint.COMMIT, harness(), () -> rounds(5, older));
            harness().passTime(Duration.ofSeconds(11));
            CopyingReplica again = version1();
            Crash.after(CommitPoint.COMMIT, harness(), () -> rounds(5, again));
            harness().passTime(Duration.ofSeconds(11));
            assertThat(parked()).hasSize(1);
            CopyingReplica newer = version2();
            Crash.after(CommitPoint.COMMIT, harness(), () -> rounds(10, newer));
            harness().passTime(Duration.ofSeconds(11));

            runFor(TAKEOVER_TIME, version2());

            assertThat(output()).containsExactly("1", "2");
            assertThat(parked()).isEmpty();
        }
    }

    @Nested
    class AddingAComponent {

        @Test
        void getsEveryEventFromItsRegistrationOn() {
            CopyingReplica older = version1();
            append("a", new Noted("1"));
            run(older);
            List<String> seen = new ArrayList<>();
            CopyingReplica newer = new CopyingReplica(replica(), harness().clock(), builder -> segments(SEGMENTS)
                    .apply(builder)
                    .version("2.0")
                    .calls(copying())
                    .calls(Component.named("added")
                            .on(Noted.class, (event, context) -> seen.add(event.text()))
                            .build()));

            newer.processor().register();
            IntStream.range(2, 12).forEach(number -> append("k" + number % 3, new Noted("" + number)));
            runFor(TAKEOVER_TIME, older);
            older.processor().release();
            runFor(TAKEOVER_TIME, newer);

            assertThat(seen)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(2, 12).mapToObj(Integer::toString).toList());
            assertThat(output()).hasSize(11);
            assertThat(parked()).isEmpty();
        }
    }
}
