package io.holdfast.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.SequenceState;
import io.holdfast.handling.Component;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.processing.status.SegmentStatus;
import io.holdfast.resilience.InstanceOverrides;
import io.holdfast.resilience.RetryOverrides;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One dependency is down for half an hour, on two replicas that share sixteen segments. */
class OutageTests extends ResilienceScenario {

    private static final int KEYS = 200;
    private static final Duration OUTAGE = Duration.ofMinutes(30);
    private static final Duration BETWEEN_EVENTS = Duration.ofSeconds(5);
    private static final int EVENTS_PER_ROUND = 20;

    private final Map<String, List<String>> appended = new LinkedHashMap<>();
    private int next;

    /** A replica, with the keys for which it called the dependency, step by step. */
    private final class Replica {

        private final List<Set<String>> steps = new ArrayList<>();
        private final EventProcessor processor;

        Replica() {
            Host process = newProcess();
            Component component = Component.named("copies")
                    .on(TextAdded.class, (event, context) -> {
                        String key = context.event().key();
                        if (key.startsWith("paid")) {
                            process.invoker().executeRunnable(PAYMENT, () -> {
                                steps.get(steps.size() - 1).add(key);
                                call(PAYMENT, event.text());
                            });
                        }
                        copy(event, context);
                    })
                    .build();
            this.processor = copier(process, builder -> builder.settings(ProcessorSettings.DEFAULT), component);
        }

        void step() {
            steps.add(new HashSet<>());
            processor.step();
            committer.commitWaiting();
        }

        /** Returns how many new keys each step called, without the steps that called none. */
        List<Integer> ramp() {
            Set<String> known = new HashSet<>();
            return steps.stream()
                    .map(keys -> (int) keys.stream().filter(known::add).count())
                    .filter(count -> count > 0)
                    .toList();
        }
    }

    private List<Replica> start(Duration maxHold) {
        settings = settings.maxHold(maxHold)
                .instance(PAYMENT, InstanceOverrides.NONE.retry(RetryOverrides.NONE.maxAttempts(1)));
        List<Replica> replicas = List.of(new Replica(), new Replica());
        runWithEvents(Duration.ofMinutes(1), replicas);
        assertThat(replicas)
                .allSatisfy(replica -> assertThat(replica.processor.status().segments())
                        .filteredOn(SegmentStatus::claimed)
                        .hasSize(8));
        return replicas;
    }

    /** Runs while events arrive. */
    private void runWithEvents(Duration time, List<Replica> replicas) {
        for (long second = 0; second < time.toSeconds(); second++) {
            if (second % BETWEEN_EVENTS.toSeconds() == 0) {
                for (int i = 0; i < EVENTS_PER_ROUND; i++) {
                    int number = next++;
                    appendNumbered("paid-" + number % KEYS, number);
                    appendNumbered("free-" + number % KEYS, number);
                }
            }
            runWithoutEvents(Duration.ofSeconds(1), replicas);
        }
    }

    private void appendNumbered(String key, int number) {
        String text = key + " " + number;
        appended.computeIfAbsent(key, unknown -> new ArrayList<>()).add(text);
        appendInput(key, text);
    }

    /** Runs while no events arrive. */
    private void runWithoutEvents(Duration time, List<Replica> replicas) {
        for (long second = 0; second < time.toSeconds(); second++) {
            clock.advance(Duration.ofSeconds(1));
            for (int i = 0; i < 2; i++) {
                replicas.forEach(Replica::step);
            }
        }
    }

    private void assertHandled(String kind) {
        appended.forEach((key, texts) -> {
            if (key.startsWith(kind)) {
                assertThat(output(key)).as(key).containsExactlyElementsOf(texts);
            }
        });
    }

    private static void assertRamp(List<Integer> keys) {
        assertThat(keys).hasSizeGreaterThan(6);
        for (int round = 0; round < keys.size(); round++) {
            assertThat(keys.get(round)).as("round %d of %s", round, keys).isLessThanOrEqualTo(1 << round);
        }
    }

    private List<ParkedSequence> pending() {
        return parked().stream()
                .filter(sequence -> sequence.state() == SequenceState.PENDING)
                .toList();
    }

    @Test
    void losesNothingAndMakesNothingPendingBeforeMaxHold() {
        List<Replica> replicas = start(Duration.ofHours(1));
        assertHandled("");
        calls.clear();
        down.add(PAYMENT);

        for (int minute = 0; minute < OUTAGE.toMinutes(); minute++) {
            runWithEvents(Duration.ofMinutes(1), replicas);
            assertThat(pending()).isEmpty();
        }

        assertHandled("free");
        assertThat(parked()).hasSize(KEYS).allSatisfy(sequence -> {
            assertThat(sequence.id().sequence()).startsWith("input/paid");
            assertThat(sequence.state()).isEqualTo(SequenceState.HELD);
            assertThat(sequence.attempts()).as("before the breaker opened").isLessThan(3);
        });
        long perReplica = OUTAGE.dividedBy(OPEN) + 15;
        assertThat(calls).as("the calls that open the breaker, and the probes").hasSizeLessThan((int) (2 * perReplica));

        replicas.forEach(replica -> replica.steps.clear());
        down.clear();
        runWithoutEvents(Duration.ofMinutes(1), replicas);

        assertThat(parked()).isEmpty();
        assertHandled("");
        assertThat(replicas).allSatisfy(replica -> assertRamp(replica.ramp()));
        runWithEvents(Duration.ofMinutes(1), replicas);
        assertHandled("");
    }

    @Test
    void makesOnlyAffectedSequencesPendingAfterMaxHold() {
        List<Replica> replicas = start(settings.maxHold());
        down.add(PAYMENT);

        runWithEvents(Duration.ofMinutes(15), replicas);
        assertThat(pending()).isEmpty();
        assertThat(parked()).hasSize(KEYS);
        runWithEvents(Duration.ofMinutes(2), replicas);

        assertThat(pending())
                .hasSize(KEYS)
                .allSatisfy(sequence -> assertThat(sequence.id().sequence()).startsWith("input/paid"));
        assertHandled("free");
        appended.forEach((key, texts) -> {
            if (key.startsWith("paid")) {
                List<String> all = new ArrayList<>(output(key));
                all.addAll(parkedTexts(key));
                assertThat(all).as("handled or parked, in order").containsExactlyElementsOf(texts);
            }
        });
    }
}
