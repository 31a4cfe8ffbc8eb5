package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.commit.CommitPoint;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.event.Metadata;
import io.holdfast.event.UnsupportedHereException;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.segment.ProcessorStores;
import io.holdfast.resilience.ResilienceSettings;
import io.holdfast.token.TokenStore;
import io.holdfast.wire.StartAt;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two versions of one component: the new one handles an event type that the old one does not know. */
class MixedVersionTests extends ProcessorScenario {

    private static final int SEGMENTS = 4;
    private static final int KEYS = 12;
    private static final Duration TAKEOVER_TIME = Duration.ofSeconds(25);

    /** The event type that only the new version handles. */
    record TextRevised(String text) {}

    private static final AggregateType<Text> ANY_INPUT = AggregateType.of("input", Text.class, new Text(""))
            .on(TextAdded.class, (text, event) -> new Text(event.text()))
            .on(TextRevised.class, (text, event) -> new Text(event.text()))
            .build();

    private EventProcessor version1() {
        return processor(
                "copier", builder -> inSegments(SEGMENTS).apply(builder).version("1.0"), copying());
    }

    private EventProcessor version2() {
        return processor(
                "copier", builder -> inSegments(SEGMENTS).apply(builder).version("2.0"), revising());
    }

    private Component revising() {
        return Component.named("copies")
                .on(TextAdded.class, this::copy)
                .on(TextRevised.class, this::copyRevised)
                .build();
    }

    private void copyRevised(TextRevised event, EventContext context) {
        copy(new TextAdded(event.text()), context);
    }

    /** The version after the new one, which has dropped the handler again. */
    private EventProcessor retiring() {
        return processor(
                "copier",
                inSegments(SEGMENTS)::apply,
                Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .retires("TextRevised")
                        .build());
    }

    private void revise(String key, String text) {
        append(key, new TextRevised(text));
    }

    private void add(String key, String text) {
        append(key, new TextAdded(text));
    }

    private void append(String key, Object event) {
        append(ANY_INPUT, key, event);
    }

    private void append(AggregateType<Text> type, String key, Object event) {
        var submitted = committer.submit(CommitUnit.of(Part.of(
                new PartId(UUID.randomUUID(), "test"), Metadata.none(), context -> context.append(type, key, event))));
        committer.commitWaiting();
        assertThat(submitted.join()).isInstanceOf(UnitOutcome.Committed.class);
    }

    private static String key(int number) {
        return "key-" + number;
    }

    @Test
    void oldVersionParksTheNewTypeWithoutSpendingAttempts() {
        EventProcessor older = version1();
        EventProcessor newer = version2();
        newer.register();
        add("a", "1");
        revise("a", "2");
        add("a", "3");
        add("b", "4");

        runFor(Duration.ofSeconds(6), older);

        assertThat(output()).containsExactlyInAnyOrder("1", "4");
        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.RETRYING);
            assertThat(sequence.awaits()).isEqualTo("TextRevised@1");
            assertThat(sequence.attempts()).isZero();
            assertThat(sequence.size()).isEqualTo(2);
        });
        DeadLetter first = letters("a").get(0);
        assertThat(first.attempts()).isEmpty();
        assertThat(Objects.requireNonNull(first.cause()).type()).isEqualTo(UnsupportedHereException.class.getName());
        assertThat(first.cause().message())
                .contains("component test/copier/copies of version 1.0 has no handler of event type TextRevised")
                .contains("version 2.0");
    }

    /** Otherwise the first event, handled again after a crash, would be parked behind the second. */
    @Test
    void eventOfTheNewTypeIsParkedOnlyAfterTheEventsBeforeIt() {
        CompletableFuture<Void> handler = new CompletableFuture<>();
        EventProcessor older = processor(
                "copier",
                Component.named("copies")
                        .onAsync(TextAdded.class, (event, context) -> {
                            copy(event, context);
                            return handler;
                        })
                        .build());
        version2().register();
        add("a", "1");
        revise("a", "2");

        runFor(Duration.ofSeconds(2), older);
        assertThat(parked()).isEmpty();
        handler.complete(null);
        runFor(Duration.ofSeconds(2), older);

        assertThat(output()).containsExactly("1");
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextRevised@1");
    }

    /** A unit that is too large for the queue is halved, so that it restarts only some of the events behind a letter. */
    @Test
    void eventIsNotParkedBeforeARestartedOne() {
        CompletableFuture<Void> handler = new CompletableFuture<>();
        EventProcessor older = processor(
                "copier",
                Component.named("copies")
                        .onAsync(TextAdded.class, (event, context) -> {
                            copy(event, context);
                            return handler;
                        })
                        .deadLetters(queue -> queue.maxSequenceSize(1))
                        .build(),
                Component.named("other")
                        .on(TextAdded.class, (event, context) -> {})
                        .build());
        version2().register();
        failing.add("1");
        add("a", "1");
        run(older);
        failing.clear();
        runFor(Duration.ofSeconds(5), older); // the letter is being handled again
        revise("a", "2");
        add("a", "3");
        revise("a", "4");
        older.step();
        committer.commitWaiting();

        handler.complete(null);
        run(older);

        assertThat(parkedTexts("a")).containsExactly("2", "3", "4");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void losesNothingWhileBothVersionsRun(int order) {
        EventProcessor older = version1();
        appendToKeys(KEYS);
        run(older);
        EventProcessor newer = version2();
        newer.register();
        for (int round = 0; round < 12; round++) {
            for (int key = 0; key < KEYS; key++) {
                revise(key(key), "r" + round);
            }
            for (int step = 0; step < 4; step++) {
                EventProcessor next = (order >> (step % 3)) % 2 == 0 ? older : newer;
                next.step();
                if ((round + step + order) % 3 > 0) {
                    committer.commitWaiting();
                }
            }
            clock.advance(Duration.ofSeconds(1));
        }
        runFor(TAKEOVER_TIME, older, newer);
        older.release();
        runFor(TAKEOVER_TIME, newer);

        for (int key = 0; key < KEYS; key++) {
            assertThat(output(key(key)))
                    .as(key(key))
                    .containsExactly(
                            key(key) + ":1", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11");
        }
        assertThat(parked()).isEmpty();
    }

    /** The old version had read and handled up to the end when the new one registered. */
    @Test
    void rejectsCommitsThatWereBuiltBeforeTheRegistration() {
        EventProcessor older = version1();
        run(older);
        EventProcessor newer = version2();
        revise("a", "1");
        older.step(); // has skipped the event in memory; its position is not stored yet
        newer.register();
        older.step();
        committer.commitWaiting();
        runFor(Duration.ofSeconds(8), older);

        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextRevised@1");
        older.release();
        runFor(TAKEOVER_TIME, newer);
        assertThat(output()).containsExactly("1");
    }

    @Test
    void ownerReleasesTheSegmentToALiveReplicaOfTheNewVersion() {
        EventProcessor older = version1();
        EventProcessor newer = version2();
        runFor(Duration.ofSeconds(12), older, newer);
        assertThat(claimed(older)).hasSize(2);
        int segment = claimed(older).get(0);
        String key = keyOf(segment, SEGMENTS);

        writes.clear();
        revise(key, "1");
        runFor(Duration.ofSeconds(12), older, newer);

        assertThat(output()).containsExactly("1");
        assertThat(claimed(newer)).contains(segment);
        assertThat(claimed(older)).hasSize(1);
        assertThat(writes).as("the old version leaves it alone").containsEntry(CommitPoint.TOKEN_CLAIM, 1);
    }

    @Test
    void keepsTheSegmentWhileNoLiveReplicaHandlesTheEvent() {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        EventProcessor older = version1();
        EventProcessor other = version1();
        runFor(TAKEOVER_TIME, older, other);
        revise("a", "1");

        runFor(TAKEOVER_TIME, older, other);

        assertThat(claimed(older)).hasSize(2);
        assertThat(claimed(other)).hasSize(2);
        assertThat(parked()).hasSize(1);
    }

    @Test
    void becomesPendingAfterMaxHoldAndStillDrains() {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        EventProcessor older = version1();
        runFor(TAKEOVER_TIME, older);
        revise("a", "1");
        add("a", "2");
        run(older);
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.RETRYING);

        clock.advance(ResilienceSettings.DEFAULT.maxHold());
        runFor(TAKEOVER_TIME, older);

        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.awaits()).isEqualTo("TextRevised@1");
            assertThat(sequence.attempts()).isZero();
        });
        EventProcessor again = version2();
        runFor(TAKEOVER_TIME, older, again);
        assertThat(output()).containsExactly("1", "2");
        assertThat(parked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void drainsMorePendingSequencesThanItCaches(int cacheSize) {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        EventProcessor older = version1();
        runFor(TAKEOVER_TIME, older);
        for (int key = 0; key < 4 * KEYS; key++) {
            revise(key(key), "r");
            add(key(key), "a");
        }
        run(older);
        clock.advance(ResilienceSettings.DEFAULT.maxHold());
        runFor(TAKEOVER_TIME, older);
        assertThat(parked()).extracting(ParkedSequence::state).containsOnly(SequenceState.PENDING);
        older.release();

        EventProcessor caching = processor(
                "copier",
                builder ->
                        inSegments(SEGMENTS).apply(builder).deadLetters(new QueueConfiguration().cacheSize(cacheSize)),
                revising());
        for (int key = 0; key < 4 * KEYS; key++) {
            add(key(key), "b");
        }
        runFor(TAKEOVER_TIME, caching);

        for (int key = 0; key < 4 * KEYS; key++) {
            assertThat(output(key(key))).as(key(key)).containsExactly("r", "a", "b");
        }
        assertThat(parked()).isEmpty();
        assertThat(store.deadLetterStore().counts("test/copier/copies")).isEqualTo(QueueCounts.EMPTY);
    }

    /** In the store, a sequence that awaited this version is PENDING until its first attempt ends. */
    @Test
    void handlesASequenceThatAwaitedItWhilePendingOnesAreCachedAgain() {
        version2InOneSegment().register();
        EventProcessor older = processor("copier", copying());
        failing.addAll(List.of("1", "2", "3"));
        add("a", "1");
        add("b", "2");
        add("c", "3");
        revise("d", "4");
        run(older);
        clock.advance(ResilienceSettings.DEFAULT.maxHold());
        runFor(TAKEOVER_TIME, older);
        assertThat(parked()).hasSize(4).extracting(ParkedSequence::state).containsOnly(SequenceState.PENDING);
        older.release();
        failing.clear();
        CompletableFuture<Void> handler = new CompletableFuture<>();
        EventProcessor newer = processor(
                "copier",
                builder -> builder.deadLetters(new QueueConfiguration().cacheSize(2)),
                Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .onAsync(TextRevised.class, (event, context) -> {
                            copyRevised(event, context);
                            return handler;
                        })
                        .build());
        run(newer);

        for (String key : List.of("a", "b")) {
            var replayed = newer.deadLetterProcessor("copies")
                    .process(letter -> letter.message().key().equals(key));
            run(newer);
            assertThat(replayed).isCompletedWithValue(true);
        }
        handler.complete(null);
        run(newer);

        assertThat(output()).containsExactly("1", "2", "4");
        assertThat(newer.status().segments()).singleElement().satisfies(segment -> assertThat(segment.parked())
                .isEqualTo(Map.of(SequenceState.PENDING, 1)));
    }

    @Test
    void letterOfTheNewVersionIsNotLostWhenTheOldOneReplaysIt() {
        failing.add("1");
        EventProcessor newer = version2();
        run(newer);
        revise("a", "1");
        run(newer);
        assertThat(parked()).extracting(ParkedSequence::attempts).containsExactly(1);
        newer.release();
        failing.clear();

        EventProcessor older = version1();
        runFor(TAKEOVER_TIME, older);

        assertThat(output()).isEmpty();
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextRevised@1");
        assertThat(letters("a").get(0).attempts()).hasSize(1);
        older.release();
        runFor(TAKEOVER_TIME, version2());
        assertThat(output()).containsExactly("1");
    }

    @Test
    void awaitingLettersCountAgainstNoLimit() {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        EventProcessor older = processor(
                "copier",
                builder -> inSegments(SEGMENTS).apply(builder),
                Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .deadLetters(queue ->
                                queue.maxSequences(1).maxSequenceSize(2).maxWaiting(1))
                        .build());
        runFor(TAKEOVER_TIME, older);
        for (int key = 0; key < KEYS; key++) {
            for (int event = 0; event < 4; event++) {
                revise(key(key), "r" + event);
            }
        }

        runFor(TAKEOVER_TIME, older);
        clock.advance(ResilienceSettings.DEFAULT.maxHold());
        runFor(TAKEOVER_TIME, older);
        add("other", "1");
        run(older);

        assertThat(output()).containsExactly("1");
        assertThat(parked()).hasSize(KEYS).allSatisfy(sequence -> assertThat(sequence.state())
                .isEqualTo(SequenceState.PENDING));
        assertThat(older.status().problems()).isEmpty();
        runFor(TAKEOVER_TIME, older, version2());
        for (int key = 0; key < KEYS; key++) {
            assertThat(output(key(key))).containsExactly("r0", "r1", "r2", "r3");
        }
    }

    /** Returns a replica of the old version. Texts that fail block it, because its queue is disabled. */
    private EventProcessor version1WithoutQueue() {
        return processor(
                "copier",
                builder -> builder.version("1.0"),
                Component.named("copies")
                        .on(TextAdded.class, (event, context) -> {
                            if (failing.contains(event.text())) {
                                throw new PermanentException("cannot copy " + event.text());
                            }
                            copy(event, context);
                        })
                        .deadLetters(QueueConfiguration::disabled)
                        .build());
    }

    private static void assertBlockedByItsQueue(EventProcessor replica) {
        assertThat(replica.status().problems()).singleElement().asString().contains("it is disabled");
    }

    @Test
    void fullQueueDoesNotKeepAnEventFromTheVersionThatHandlesIt() {
        EventProcessor newer = version2InOneSegment();
        newer.register();
        EventProcessor older = version1WithoutQueue();
        failing.add("1");
        add("a", "1");
        revise("b", "2");

        runFor(TAKEOVER_TIME, older);

        assertBlockedByItsQueue(older);
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextRevised@1");
        runFor(TAKEOVER_TIME, older, newer);
        assertThat(output()).containsExactly("2");
    }

    private EventProcessor version2InOneSegment() {
        return processor("copier", builder -> builder.version("2.0"), revising());
    }

    @Test
    void fullQueueDoesNotKeepAnEventBehindOneOfTheOtherVersion() {
        EventProcessor newer = version2InOneSegment();
        newer.register();
        EventProcessor older = version1WithoutQueue();
        revise("b", "1");
        run(older);
        failing.add("2");
        add("a", "2");
        add("b", "3");

        runFor(TAKEOVER_TIME, older);

        assertBlockedByItsQueue(older);
        assertThat(parkedTexts("b")).containsExactly("1", "3");
        runFor(TAKEOVER_TIME, older, newer);
        assertThat(output()).containsExactly("1", "3");
    }

    @Test
    void becomesPendingAfterMaxHoldEvenIfTheQueueIsFull() {
        version2InOneSegment().register();
        EventProcessor older = version1WithoutQueue();
        failing.add("1");
        add("a", "1");
        revise("b", "2");
        runFor(TAKEOVER_TIME, older);

        clock.advance(ResilienceSettings.DEFAULT.maxHold().minus(TAKEOVER_TIME.multipliedBy(2)));
        runFor(TAKEOVER_TIME.multipliedBy(2), older); // so that it happens between two attempts to park the other event

        assertBlockedByItsQueue(older);
        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.state()).isEqualTo(SequenceState.PENDING);
            assertThat(sequence.awaits()).isEqualTo("TextRevised@1");
        });
    }

    private static final AggregateType<Text> ANY_OUTPUT = AggregateType.of("output", Text.class, new Text(""))
            .on(TextAdded.class, (text, event) -> new Text(event.text()))
            .on(TextRevised.class, (text, event) -> new Text(event.text()))
            .build();

    private EventProcessor readingEveryOutput() {
        return processor(
                "copier",
                builder -> inSegments(SEGMENTS).apply(builder).version("2.0"),
                Component.named("copies")
                        .on(
                                TextAdded.class,
                                (event, context) -> context.decide(decision -> decision.append(
                                        ANY_OUTPUT, context.event().key(), event)))
                        .build());
    }

    /** The handler is known, but the key that it decides on has an event that this version cannot fold. */
    @Test
    void awaitsAnyOtherVersionThatCanReadTheHistory() {
        append(ANY_OUTPUT, "a", new TextRevised("0"));
        EventProcessor older = version1();
        add("a", "1");
        add("a", "2");
        add("b", "3");

        runFor(Duration.ofMinutes(2), older);

        assertThat(output("b")).containsExactly("3");
        assertThat(parked()).singleElement().satisfies(sequence -> {
            assertThat(sequence.awaits()).isEqualTo(ParkedSequence.ANY_VERSION);
            assertThat(sequence.state()).isEqualTo(SequenceState.RETRYING);
            assertThat(sequence.attempts()).isZero();
            assertThat(sequence.size()).isEqualTo(2);
        });
        clock.advance(ResilienceSettings.DEFAULT.maxHold());
        runFor(TAKEOVER_TIME, older);
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        runFor(TAKEOVER_TIME, older, readingEveryOutput());
        assertThat(parked()).isEmpty();
        assertThat(store.eventLog().readKey("output", "a", 0, 10)).hasSize(3);
    }

    /** Otherwise a segment that is claimed anew every few minutes, as in a crash loop, would never raise an alert. */
    @Test
    void becomesPendingAfterMaxHoldEvenIfOtherReplicasHaveTriedMeanwhile() {
        append(ANY_OUTPUT, "a", new TextRevised("0"));
        EventProcessor first = version1();
        add("a", "1");
        run(first);
        first.release();
        clock.advance(ResilienceSettings.DEFAULT.maxHold().dividedBy(2));
        EventProcessor second = version1();
        runFor(TAKEOVER_TIME, second);
        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.RETRYING);

        clock.advance(ResilienceSettings.DEFAULT.maxHold().dividedBy(2));
        run(second);

        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
    }

    @Test
    void removedHandlerIsVisibleUntilItsTypeIsRetired() {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        revise("a", "1");
        add("a", "2");
        EventProcessor without = version1();
        runFor(TAKEOVER_TIME, without);
        assertThat(parked()).hasSize(1);
        assertThat(output()).isEmpty();

        EventProcessor retiring = retiring();
        without.release();
        runFor(TAKEOVER_TIME, retiring);
        revise("b", "3");
        add("b", "4");
        run(retiring);

        assertThat(output()).containsExactlyInAnyOrder("2", "4");
        assertThat(parked()).isEmpty();
    }

    @Test
    void retirementWaitsForTheLastReplicaThatHandlesTheType() {
        EventProcessor newer = version2();
        run(newer);
        EventProcessor retiring = retiring();
        runFor(TAKEOVER_TIME, newer, retiring);
        revise("a", "1");
        revise("b", "2");
        revise("c", "3");

        runFor(TAKEOVER_TIME, newer, retiring);

        assertThat(output()).containsExactlyInAnyOrder("1", "2", "3");
        newer.release();
        runFor(TAKEOVER_TIME, retiring);
        revise("a", "4");
        run(retiring);
        assertThat(output()).hasSize(3);
        assertThat(parked()).isEmpty();
    }

    /** A replica that pauses, for example for a garbage collection, cannot register its types again. */
    @Test
    void typeIsNotRetiredWhileAPausedReplicaHandlesIt() {
        EventProcessor pausing = version2();
        EventProcessor retiring = retiring();
        runFor(TAKEOVER_TIME, pausing, retiring);
        String key = keyOf(claimed(retiring).get(0), SEGMENTS);
        revise(key, "1");

        runFor(Duration.ofSeconds(5), retiring); // within the lease of the other replica
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextRevised@1");
        runFor(TAKEOVER_TIME, pausing, retiring);

        assertThat(output()).containsExactly("1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void letterThatFailedStaysParkedAfterItsTypeWasRetired() {
        failing.add("1");
        EventProcessor newer = version2();
        run(newer);
        revise("a", "1");
        runFor(Duration.ofSeconds(1), newer);
        newer.release();

        EventProcessor retiring = retiring();
        runFor(TAKEOVER_TIME, retiring);

        assertThat(parked()).extracting(ParkedSequence::state).containsExactly(SequenceState.PENDING);
        assertThat(Objects.requireNonNull(letters("a").get(0).cause()).message())
                .contains("was retired");
    }

    @Test
    void oldVersionDoesNotResetAComponentThatMayNotBeReset() {
        EventProcessor newer = version2();
        run(newer);
        newer.release();
        EventProcessor older = processor(
                "copier",
                inSegments(SEGMENTS)::apply,
                Component.named("other")
                        .on(TextAdded.class, (event, context) -> {})
                        .resettable()
                        .build());
        runFor(TAKEOVER_TIME, older);

        assertThat(older.reset(StartAt.BEGINNING))
                .isCompletedExceptionally()
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(PermanentException.class)
                .withMessageContaining("test/copier/copies");
    }

    @Test
    void definitionThatWasLostIsRegisteredAgain() {
        EventProcessor newer = version2();
        run(newer);
        store.tokenStore()
                .define(
                        "copier",
                        definition ->
                                definition.without(Set.of(), Map.of("test/copier/copies", Set.of("TextRevised"))));

        runFor(Duration.ofSeconds(6), newer);

        assertThat(store.tokenStore()
                        .findDefinition("copier")
                        .components()
                        .get("test/copier/copies")
                        .types())
                .containsOnlyKeys("TextAdded", "TextRevised");
        assertThat(List.copyOf(claimed(newer))).hasSize(SEGMENTS);
    }

    @Test
    void resetFailsIfTheDefinitionCannotBeRead() {
        TokenStore unreachable = (TokenStore) Proxy.newProxyInstance(
                TokenStore.class.getClassLoader(), new Class<?>[] {TokenStore.class}, (self, method, arguments) -> {
                    throw new RetryableException("the database does not respond");
                });
        EventProcessor processor = builder(
                        "copier",
                        "replica",
                        new ProcessorStores(
                                unreachable,
                                store.deadLetterStore(),
                                store.actionStore(),
                                store.unitTransactions(),
                                committer))
                .calls(Component.named("copies")
                        .on(TextAdded.class, this::copy)
                        .resettable()
                        .build())
                .build();

        assertThat(processor.reset(StartAt.BEGINNING))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(RetryableException.class);
    }

    @Test
    void registersAgainWhatAnotherReplicaHasRetiredMeanwhile() {
        EventProcessor owner = version1();
        runFor(TAKEOVER_TIME, owner);
        EventProcessor newer = version2();
        newer.register();
        store.tokenStore()
                .define(
                        "copier",
                        definition ->
                                definition.without(Set.of(), Map.of("test/copier/copies", Set.of("TextRevised"))));

        newer.step(); // it owns no segment

        assertThat(store.tokenStore()
                        .findDefinition("copier")
                        .components()
                        .get("test/copier/copies")
                        .types())
                .containsOnlyKeys("TextAdded", "TextRevised");
    }

    @Test
    void locksNoTokensIfTheDefinitionIsUpToDate() {
        run(version2());
        writes.clear();

        version2().register();
        version1().register();

        assertThat(writes).doesNotContainKey(CommitPoint.TOKEN_DEFINE);
    }

    @Test
    void retriesARegistrationOfUnknownOutcome() {
        failingAfter.put(CommitPoint.TOKEN_DEFINE, new RetryableException("connection lost"));

        version1().register();

        assertThat(writes).containsEntry(CommitPoint.TOKEN_DEFINE, 1);
        assertThat(store.tokenStore().findDefinition("copier").version()).isEqualTo(1);
    }

    @Test
    void reportsARegistrationThatKeepsFailing() {
        failingBefore.put(CommitPoint.TOKEN_DEFINE, new RetryableException("locked"));

        assertThatThrownBy(() -> version1().register()).hasMessage("locked");
    }
}
