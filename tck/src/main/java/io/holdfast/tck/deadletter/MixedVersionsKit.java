package io.holdfast.tck.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitPoint;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.eventsourcing.Command;
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
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two versions of a service share a store: the new one handles an event type or a saga type, or has a component, that
 * the old one lacks.
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

    /** The component is limited to sagas of type X, and another version to other sagas. */
    @Nested
    class LimitingToSagaTypes {

        private CopyingReplica limitedTo(String version, String... sagaTypes) {
            return limited(version, component -> component.sagaTypes(sagaTypes));
        }

        private CopyingReplica limited(String version, UnaryOperator<Component.Builder> limit) {
            Component copies = limit.apply(Component.named(COPIES).on(Noted.class, MixedVersionsKit.this::copy))
                    .build();
            return new CopyingReplica(replica(), harness().clock(), builder -> segments(SEGMENTS)
                    .apply(builder)
                    .version(version)
                    .calls(copies));
        }

        /** @param sagaType empty for an event without a saga */
        private void appendInSaga(String key, String sagaType, String text) {
            EngineUnderTest writer = new EngineUnderTest(store(), harness().clock());
            Command command = Command.once(harness().clock());
            var submitted = writer.controller()
                    .submit(
                            sagaType.isEmpty() ? command : command.inSaga(sagaType, "saga-" + key),
                            append(INPUT, key, text));
            writer.commit();
            assertThat(submitted).isCompleted();
        }

        private List<String> awaited() {
            return parked().stream().map(ParkedSequence::awaits).toList();
        }

        private void replay(CopyingReplica replica) {
            var replayed = replica.letters().process(letter -> true);
            runUntil(replayed, replica);
        }

        @Test
        void skipsEventsOfOtherSagasAndOfNone() {
            CopyingReplica replica = limitedTo("1.0", "X");
            broken.add("3");
            appendInSaga("a", "Y", "1");
            appendInSaga("a", "", "2");
            appendInSaga("a", "X", "3");
            appendInSaga("a", "Y", "4");
            appendInSaga("a", "X", "5");
            run(replica);

            assertThat(attempted).containsExactly("3");
            assertThat(parkedTexts("a")).containsExactly("3", "5");
            broken.clear();
            replay(replica);
            assertThat(output()).containsExactly("3", "5");
            assertThat(parked()).isEmpty();
        }

        @Test
        void skipsAndHandlesOnceIfCommitsAreRepeated() {
            appendInSaga("a", "X", "1");
            appendInSaga("a", "Y", "2");
            CopyingReplica crashing = limitedTo("1.0", "X");
            Crash.before(CommitPoint.COMMIT, harness(), () -> rounds(10, crashing));
            harness().passTime(Duration.ofSeconds(11));
            CopyingReplica again = limitedTo("1.0", "X");
            Crash.after(CommitPoint.COMMIT, harness(), () -> rounds(10, again));
            harness().passTime(Duration.ofSeconds(11));

            runFor(TAKEOVER_TIME, limitedTo("1.0", "X"));

            assertThat(output()).containsExactly("1");
            assertThat(parked()).isEmpty();
        }

        @Test
        void parksWhatOnlyTheNewVersionWantsAndKeepsTheOrder() {
            CopyingReplica older = limitedTo("1.0", "X");
            run(older);
            limitedTo("2.0", "X", "Y").processor().register();
            appendInSaga("a", "Y", "1");
            appendInSaga("a", "X", "2");
            appendInSaga("a", "Z", "3");
            appendInSaga("b", "X", "4");
            runFor(Duration.ofSeconds(6), older);

            assertThat(output()).containsExactly("4");
            assertThat(awaited()).containsExactly("Noted@1#Y");
            assertThat(parkedTexts("a")).containsExactly("1", "2");
            assertThat(firstLetter("a").attempts()).isEmpty();
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).message())
                    .contains("of version 1.0 skips events of saga type Y, which version 2.0 handles");

            runFor(TAKEOVER_TIME, older, limitedTo("2.0", "X", "Y"));
            assertThat(output("a")).containsExactly("1", "2");
            assertThat(attempted).containsExactly("4", "1", "2");
            assertThat(parked()).isEmpty();
        }

        @Test
        void parksEveryOtherEventForAVersionWithoutLimit() {
            version2().processor().register();
            CopyingReplica older = limitedTo("1.0", "X");
            appendInSaga("a", "", "1");
            appendInSaga("a", "X", "2");
            appendInSaga("b", "Y".repeat(1000), "3");
            run(older);

            assertThat(output()).isEmpty();
            assertThat(awaited()).containsExactlyInAnyOrder("Noted@1#", "Noted@1#");
            runFor(TAKEOVER_TIME, older, version2());
            assertThat(output("a")).containsExactly("1", "2");
            assertThat(output("b")).containsExactly("3");
            assertThat(parked()).isEmpty();
        }

        @Test
        void oldVersionContinuesAfterARollbackAndTheRestDrainsAfterTheUpgrade() {
            CopyingReplica newer = limitedTo("2.0", "X", "Y");
            appendInSaga("a", "Y", "1");
            runFor(Duration.ofSeconds(2), newer);
            newer.processor().release();
            CopyingReplica older = limitedTo("1.0", "X");
            appendInSaga("a", "X", "2");
            appendInSaga("b", "Y", "3");
            appendInSaga("b", "X", "4");
            runFor(TAKEOVER_TIME, older);
            harness().passTime(ResilienceSettings.DEFAULT.maxHold());
            runFor(TAKEOVER_TIME, older);
            assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);

            replay(older);

            assertThat(output()).containsExactly("1", "2");
            assertThat(awaited()).containsExactly("Noted@1#Y");
            runFor(TAKEOVER_TIME, older, limitedTo("2.0", "X", "Y"));
            assertThat(output()).containsExactly("1", "2", "3", "4");
            assertThat(parked()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(longs = {1, 2, 3})
        void handlesEveryWantedEventOnceAndInOrderWhateverTheInterleaving(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            List<CopyingReplica> replicas = new ArrayList<>(List.of(limitedTo("1.0", "X"), limitedTo("2.0", "X", "Y")));
            replicas.get(1).processor().register();
            Map<String, List<String>> wanted = new TreeMap<>();
            for (int round = 0; round < 30; round++) {
                String key = "k" + random.nextInt(KEYS);
                for (String sagaType : List.of("Y", "Z", "X", "")) {
                    appendInSaga(key, sagaType, sagaType + round);
                }
                wanted.computeIfAbsent(key, unused -> new ArrayList<>()).addAll(List.of("Y" + round, "X" + round));
                int turn = random.nextInt(2);
                if (random.nextInt(4) == 0) { // killed: its claims expire
                    harness().passTime(Duration.ofSeconds(11));
                    replicas.set(turn, turn == 0 ? limitedTo("1.0", "X") : limitedTo("2.0", "X", "Y"));
                }
                replicas.get(turn).step();
                if (random.nextInt(3) > 0) {
                    replicas.get(turn).commit();
                }
                harness().passTime(Duration.ofSeconds(1));
            }
            harness().passTime(Duration.ofSeconds(11));
            runFor(TAKEOVER_TIME, limitedTo("2.0", "X", "Y"));

            wanted.forEach((key, texts) -> assertThat(output(key)).as(key).isEqualTo(texts));
            assertThat(output()).hasSize(60);
            assertThat(parked()).isEmpty();
        }

        @Test
        void narrowedVersionLeavesEventsToTheOldOneUntilTheyAreRetired() {
            CopyingReplica older = limited("1.0", component -> component);
            run(older);
            older.processor().release();
            CopyingReplica narrowed = limitedTo("2.0", "X");
            appendInSaga("a", "", "1");
            appendInSaga("a", "X", "2");
            runFor(TAKEOVER_TIME, narrowed);
            assertThat(output()).isEmpty();
            assertThat(awaited()).containsExactly("Noted@1#");

            runFor(TAKEOVER_TIME, narrowed, limited("1.0", component -> component));

            assertThat(output()).containsExactly("1", "2");
        }

        @Test
        void retirementWaitsForTheLastReplicaAndThenResolvesWhatOnlyWaited() {
            CopyingReplica older = limitedTo("1.0", "X", "Y");
            CopyingReplica retiring =
                    limited("2.0", component -> component.sagaTypes("X").retiresSagaTypes("Y"));
            runFor(TAKEOVER_TIME, older, retiring);
            appendInSaga("a", "Y", "1");
            runFor(TAKEOVER_TIME, older, retiring);
            assertThat(output()).containsExactly("1");
            older.processor().release();
            CopyingReplica undeclared = limitedTo("2.0", "X");
            retiring.processor().release();
            appendInSaga("b", "Y", "2");
            appendInSaga("b", "X", "3");
            runFor(TAKEOVER_TIME, undeclared);
            assertThat(parkedTexts("b")).containsExactly("2", "3");

            undeclared.processor().release();
            runFor(
                    TAKEOVER_TIME,
                    limited("3.0", component -> component.sagaTypes("X").retiresSagaTypes("Y")));
            assertThat(output()).containsExactly("1", "3");
            appendInSaga("b", "Y", "4");
            appendInSaga("b", "X", "5");
            runFor(TAKEOVER_TIME, undeclared);

            assertThat(output()).containsExactly("1", "3", "5");
            assertThat(parked()).isEmpty();
        }

        @Test
        void letterThatFailedStaysParkedAfterItsSagaTypeWasRetired() {
            broken.add("1");
            CopyingReplica older = limited("1.0", component -> component);
            appendInSaga("a", "Y", "1");
            appendInSaga("a", "Y", "2");
            run(older);
            older.processor().release();
            broken.clear();
            CopyingReplica retiring =
                    limited("2.0", component -> component.sagaTypes("X").retiresSagaTypes("*"));
            runFor(TAKEOVER_TIME, retiring);

            replay(retiring);

            assertThat(output()).isEmpty();
            assertThat(parkedTexts("a")).containsExactly("1", "2");
            assertThat(Objects.requireNonNull(firstLetter("a").cause()).message())
                    .contains("handling events of saga type Y in component")
                    .contains("was retired after this event had failed");
            retiring.processor().release();
            CopyingReplica again = limited("1.0", component -> component);
            runFor(TAKEOVER_TIME, again);
            replay(again);
            assertThat(output()).containsExactly("1", "2");
        }
    }
}
