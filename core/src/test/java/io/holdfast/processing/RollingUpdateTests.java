package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.handling.Component;
import io.holdfast.handling.SequencingPolicy;
import io.holdfast.token.ClaimedToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas of two versions run side by side while one version replaces the other. */
class RollingUpdateTests extends ProcessorScenario {

    private static final AggregateType<Text> ADDED = texts("added");
    private static final int SEGMENTS = 4;
    private static final int KEYS = 12;
    private static final Duration REBALANCE_TIME = Duration.ofSeconds(6);
    /** Time for a replica to claim all segments if no other replica can. */
    private static final Duration FULL_TAKEOVER_TIME = Duration.ofSeconds(25);

    /** The texts that the new version's component has seen. */
    private final List<String> seen = new ArrayList<>();

    private EventProcessor oldVersion() {
        return segmented(SEGMENTS, copying());
    }

    private EventProcessor newVersion() {
        return segmented(SEGMENTS, copying(), added());
    }

    private Component added() {
        return Component.named("added")
                .on(TextAdded.class, (event, context) -> {
                    seen.add(event.text());
                    context.decide(
                            decision -> decision.append(ADDED, context.event().key(), event));
                })
                .build();
    }

    /** The new component sees every event of a key from some event on. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void addedComponentSeesEveryEventFromItsStart(int order) {
        EventProcessor older = oldVersion();
        appendToKeys(KEYS);
        run(older);
        EventProcessor newer = newVersion();
        for (int round = 0; round < 12; round++) {
            appendToKeys(KEYS);
            for (int step = 0; step < 4; step++) {
                EventProcessor next = (order >> (step % 3)) % 2 == 0 ? older : newer;
                next.step();
                if ((round + step + order) % 3 > 0) {
                    committer.commitWaiting();
                }
            }
            clock.advance(Duration.ofSeconds(1));
        }
        appendToKeys(KEYS);
        run(older, newer);
        older.release();
        appendToKeys(KEYS);

        runFor(FULL_TAKEOVER_TIME, newer);

        assertCopiedOnceAndInOrder(KEYS);
        assertSeenFromStartPosition();
    }

    private void assertSeenFromStartPosition() {
        Map<String, Long> starts = new HashMap<>();
        for (ClaimedToken claimed : store.tokenStore().findAll("copier")) {
            long start = Objects.requireNonNull(Objects.requireNonNull(
                                    claimed.token().setup().components().get("test/copier/added"))
                            .get("input"))
                    .position();
            store.eventLog().readStream("input", start, 10_000).stream()
                    .filter(event -> segmentOf(event.key(), SEGMENTS)
                            == claimed.token().segment().number())
                    .forEach(event -> starts.putIfAbsent(event.key(), event.position() - 1));
        }
        assertThat(starts).hasSize(KEYS);
        starts.forEach((key, from) -> assertThat(textsOf("added", key))
                .as(key)
                .containsExactlyElementsOf(store.eventLog().readStream("input", from, 10_000).stream()
                        .filter(event -> event.key().equals(key))
                        .map(event ->
                                codec.decode(event.payload(), TextAdded.class).text())
                        .toList()));
    }

    private List<String> textsOf(String stream, String key) {
        return store.eventLog().readKey(stream, key, 0, 10_000).stream()
                .map(event -> codec.decode(event.payload(), TextAdded.class).text())
                .toList();
    }

    @Test
    void oldVersionParksEventsOfAComponentThatItLacks() {
        EventProcessor older = oldVersion();
        EventProcessor newer = newVersion();
        runFor(REBALANCE_TIME, older, newer);
        newer.release();

        appendToKeys(KEYS);
        runFor(FULL_TAKEOVER_TIME, older);

        assertThat(claimed(older)).hasSize(SEGMENTS);
        assertCopiedOnceAndInOrder(KEYS);
        assertThat(seen).isEmpty();
        assertThat(older.status().problems()).isEmpty();
        assertThat(parked()).hasSize(KEYS).allSatisfy(sequence -> {
            assertThat(sequence.id().component()).isEqualTo("test/copier/added");
            assertThat(sequence.awaits()).isEqualTo("TextAdded@1");
            assertThat(sequence.attempts()).isZero();
        });
        EventProcessor again = newVersion();
        runFor(FULL_TAKEOVER_TIME, older, again);
        assertThat(seen).hasSize(KEYS).doesNotHaveDuplicates();
        assertThat(parked()).isEmpty();
    }

    @Test
    void resolvesWhatOnlyWaitedForARetiredComponent() {
        EventProcessor before = newVersion();
        run(before);
        before.release();
        appendInput("a", "1");

        EventProcessor without = oldVersion();
        runFor(FULL_TAKEOVER_TIME, without);
        assertThat(output()).containsExactly("1");
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextAdded@1");
        EventProcessor retiring = processor(
                "copier", inSegments(SEGMENTS).andThen(builder -> builder.retires("added"))::apply, copying());
        without.release();
        runFor(FULL_TAKEOVER_TIME, retiring);
        appendInput("a", "2");
        run(retiring);

        assertThat(output()).containsExactly("1", "2");
        assertThat(parked()).isEmpty();
        assertThat(seen).isEmpty();
        assertThat(store.tokenStore().findAll("copier"))
                .allSatisfy(claimed ->
                        assertThat(claimed.token().setup().components()).containsOnlyKeys("test/copier/copies"));
    }

    /** A replica that pauses, for example for a garbage collection, cannot register its components again. */
    @Test
    void componentIsNotRetiredWhileAPausedReplicaHasIt() {
        EventProcessor pausing = newVersion();
        EventProcessor retiring = processor(
                "copier", inSegments(SEGMENTS).andThen(builder -> builder.retires("added"))::apply, copying());
        runFor(FULL_TAKEOVER_TIME, pausing, retiring);
        appendInput(keyOf(claimed(retiring).get(0), SEGMENTS), "1");

        runFor(Duration.ofSeconds(5), retiring); // within the lease of the other replica
        assertThat(parked()).extracting(ParkedSequence::awaits).containsExactly("TextAdded@1");
        runFor(FULL_TAKEOVER_TIME, pausing, retiring);

        assertThat(seen).containsExactly("1");
        assertThat(output()).containsExactly("1");
        assertThat(parked()).isEmpty();
    }

    @Test
    void keepsLettersOfRetiredComponent() {
        failing.add("1");
        EventProcessor before = segmented(
                SEGMENTS,
                copying(),
                Component.named("other")
                        .on(TextAdded.class, (event, context) -> {})
                        .build());
        appendInput("a", "1", "2");
        run(before);
        before.release();

        EventProcessor retiring = processor(
                "copier",
                inSegments(SEGMENTS).andThen(builder -> builder.retires("copies"))::apply,
                Component.named("other")
                        .on(TextAdded.class, (event, context) -> {})
                        .build());
        failing.clear();
        runFor(FULL_TAKEOVER_TIME, retiring);

        assertThat(parkedTexts("a")).containsExactly("1", "2");
        assertThat(retiring.status().problems()).isEmpty();
    }

    @Test
    void renamedComponentKeepsIdPositionsAndLetters() {
        EventProcessor before = oldVersion();
        appendInput("a", "1", "2", "3");
        failing.add("2");
        run(before);
        before.release();

        EventProcessor renamed = segmented(
                SEGMENTS,
                Component.named("renamed")
                        .formerly("copies")
                        .on(TextAdded.class, this::copy)
                        .build());
        failing.clear();
        runFor(Duration.ofSeconds(5), renamed);

        assertThat(output()).containsExactly("1", "2", "3");
        assertThat(handled).containsExactly("1", "2", "3");
        assertThat(parked()).isEmpty();
    }

    private static final SequencingPolicy BY_GROUP = new SequencingPolicy("group/1", event -> group(event.key()));

    /** Three keys form one group. */
    private static String group(String key) {
        return "group-" + Integer.parseInt(key.substring(4)) / 3;
    }

    private EventProcessor byGroup(boolean declaresFormer) {
        return byGroup(declaresFormer, UUID.randomUUID().toString());
    }

    private EventProcessor byGroup(boolean declaresFormer, String replica) {
        EventProcessorBuilder builder =
                inSegments(SEGMENTS).apply(builder("copier", replica, stores())).sequencedBy(BY_GROUP);
        if (declaresFormer) {
            builder.formerlySequencedBy(SequencingPolicy.streamAndKey());
        }
        return builder.calls(copying()).build();
    }

    private Stream<String> policies() {
        return store.tokenStore().findAll("copier").stream()
                .map(claimed -> claimed.token().setup().policy());
    }

    @Test
    void changesPolicyAutomaticallyIfSegmentsAreAtTheSamePosition() {
        EventProcessor before = oldVersion();
        appendToKeys(KEYS);
        runFor(REBALANCE_TIME, before);
        EventProcessor one = byGroup(false);
        EventProcessor two = byGroup(false);
        runFor(REBALANCE_TIME, one, two, before);
        assertThat(policies()).as("the old version still owns segments").containsOnly("stream-and-key/1");

        before.release();
        appendToKeys(KEYS);
        runFor(REBALANCE_TIME, one, two);

        assertThat(policies()).containsOnly("group/1");
        assertThat(claimed(one).size() + claimed(two).size()).isEqualTo(SEGMENTS);
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void rejectsChangedPolicyIfPositionsDiffer() {
        EventProcessor before = oldVersion();
        appendToKeys(KEYS);
        run(before);
        before.release(); // each segment has stored only its own last position

        EventProcessor one = byGroup(false);
        EventProcessor two = byGroup(false);
        runFor(FULL_TAKEOVER_TIME, one, two);

        assertThat(claimed(one)).isEmpty();
        assertThat(policies()).containsOnly("stream-and-key/1");
        assertThat(one.status().problems())
                .singleElement()
                .asString()
                .contains("its sequencing policy is stream-and-key/1, this version uses group/1");
    }

    @Test
    void rejectsChangedPolicyWhileALetterIsParked() {
        failing.add("key-1:1");
        EventProcessor before = oldVersion();
        appendToKeys(KEYS);
        runFor(Duration.ofSeconds(15), before);
        before.release();
        assertThat(parked()).extracting(ParkedSequence::id).containsExactly(sequence("key-1"));

        EventProcessor one = byGroup(false);
        runFor(FULL_TAKEOVER_TIME, one, byGroup(false));

        assertThat(policies()).containsOnly("stream-and-key/1");
        assertThat(claimed(one)).isEmpty();
        assertThat(one.status().problems()).hasSize(1);
    }

    @Test
    void alignsSegmentsUnderTheFormerPolicyAndThenChanges() {
        EventProcessor before = oldVersion();
        appendToKeys(KEYS);
        run(before);
        before.release();

        EventProcessor one = byGroup(true);
        EventProcessor two = byGroup(true);
        for (int round = 0; round < 20; round++) {
            appendToKeys(KEYS);
            runFor(Duration.ofSeconds(1), one, two);
        }
        runFor(FULL_TAKEOVER_TIME, one, two);

        assertThat(policies()).containsOnly("group/1");
        assertThat(claimed(one)).hasSize(2);
        assertThat(claimed(two)).hasSize(2);
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void replaysLettersUnderTheFormerPolicyBeforeItChanges() {
        EventProcessor before = oldVersion();
        failing.add("key-1:1");
        appendToKeys(KEYS);
        run(before);
        before.release();

        EventProcessor one = byGroup(true);
        EventProcessor two = byGroup(true);
        run(one, two);
        assertThat(policies()).containsOnly("stream-and-key/1");
        failing.clear();
        appendToKeys(KEYS);
        runFor(FULL_TAKEOVER_TIME, one, two);

        assertThat(policies()).containsOnly("group/1");
        assertThat(claimed(one).size() + claimed(two).size()).isEqualTo(SEGMENTS);
        assertThat(parked()).isEmpty();
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void changesFormerPolicyEvenIfTwoReplicasOwnSegments() {
        EventProcessor before = inSegments(SEGMENTS)
                .apply(builder("copier", "c", stores()))
                .calls(copying())
                .build();
        EventProcessor one = byGroup(true, "a");
        EventProcessor two = byGroup(true, "b");
        runFor(REBALANCE_TIME, before, one);
        appendToKeys(KEYS);
        run(before, one);
        before.release();
        clock.advance(Duration.ofSeconds(1));
        run(two, one);
        assertThat(claimed(one)).hasSize(2);
        assertThat(claimed(two)).hasSize(2);
        assertThat(policies()).containsOnly("stream-and-key/1");

        appendToKeys(KEYS);
        runFor(FULL_TAKEOVER_TIME, one, two);

        assertThat(policies()).containsOnly("group/1");
        assertCopiedOnceAndInOrder(KEYS);
    }

    @Test
    void continuesUnderTheFormerPolicyWhileALetterIsPending() {
        EventProcessor before = oldVersion();
        failing.add("key-1:1");
        appendToKeys(KEYS);
        runFor(Duration.ofSeconds(10), before);
        before.release();

        EventProcessor one = byGroup(true);
        EventProcessor two = byGroup(true);
        runFor(REBALANCE_TIME, one, two);
        appendToKeys(KEYS);
        runFor(REBALANCE_TIME, one, two);

        assertThat(policies()).containsOnly("stream-and-key/1");
        assertThat(output()).hasSize(2 * (KEYS - 1));
        assertThat(parkedTexts("key-1")).containsExactly("key-1:1", "key-1:2");
    }

    @Test
    void parksByTheNewSequencesAfterTheChange() {
        EventProcessor before = oldVersion();
        appendToKeys(KEYS);
        runFor(REBALANCE_TIME, before);
        before.release();
        EventProcessor one = byGroup(true);
        runFor(REBALANCE_TIME, one);
        failing.add("key-3:2");

        appendToKeys(KEYS);
        run(one);

        assertThat(parked())
                .extracting(ParkedSequence::id, ParkedSequence::size)
                .containsExactly(tuple(new SequenceId("test/copier/copies", "group-1"), 3));
    }
}
