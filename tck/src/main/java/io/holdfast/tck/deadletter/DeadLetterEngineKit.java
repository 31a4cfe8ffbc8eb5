package io.holdfast.tck.deadletter;

import io.holdfast.NonRetryableException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueConfiguration;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.event.EventMessage;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.processing.EventProcessorBuilder;
import io.holdfast.processing.settings.ProcessorSettings;
import io.holdfast.tck.harness.EngineUnderTest;
import io.holdfast.tck.harness.Noted;
import io.holdfast.tck.harness.StoreHarness;
import io.holdfast.tck.harness.StoreKit;
import io.holdfast.tck.harness.StoredSequences;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Base of the kits that park through the engine: a service over the store under test whose component copies events from
 * its stream {@code input} to its stream {@code output} and fails as scripted.
 */
public abstract class DeadLetterEngineKit extends StoreKit {

    static final AggregateType<Noted> INPUT = notes("input");
    static final AggregateType<Noted> OUTPUT = notes("output");
    static final String COPIES = "copies";
    static final int ALL = 10_000;

    private static final int ROUNDS = 10;
    private static final int MAX_ROUNDS = 1_000;

    /** The texts for which handlers were called, whatever the outcome. */
    final List<String> attempted = new ArrayList<>();
    /** The texts for which handlers fail with a retryable error. */
    final Set<String> failing = new HashSet<>();
    /** The texts for which handlers fail permanently. */
    final Set<String> broken = new HashSet<>();

    static AggregateType<Noted> notes(String stream) {
        return AggregateType.of(stream, Noted.class, new Noted(""))
                .on(Noted.class, (state, event) -> event)
                .build();
    }

    final Component copying() {
        return Component.named(COPIES).on(Noted.class, this::copy).resettable().build();
    }

    final void copy(Noted event, EventContext context) {
        attempted.add(event.text());
        context.decide(append(OUTPUT, context.event().key(), event.text()));
        if (failing.contains(event.text())) {
            throw new IllegalStateException("cannot copy " + event.text());
        }
        if (broken.contains(event.text())) {
            throw new Broken(event.text());
        }
    }

    /** Returns a replica that calls the copying component. */
    final CopyingReplica copier() {
        return copier(builder -> builder);
    }

    final CopyingReplica copier(UnaryOperator<EventProcessorBuilder> more) {
        return newReplica(builder -> more.apply(builder.calls(copying())));
    }

    final CopyingReplica newReplica(UnaryOperator<EventProcessorBuilder> more) {
        return new CopyingReplica(store(), harness().clock(), more);
    }

    /** Returns another replica of the same service, for concurrent or later work. */
    final CopyingReplica otherCopier(UnaryOperator<EventProcessorBuilder> more) {
        return new CopyingReplica(replica(), harness().clock(), builder -> more.apply(builder.calls(copying())));
    }

    static UnaryOperator<EventProcessorBuilder> segments(int count) {
        return builder -> builder.settings(ProcessorSettings.DEFAULT.segments(count));
    }

    static UnaryOperator<EventProcessorBuilder> queue(UnaryOperator<QueueConfiguration> settings) {
        return builder -> builder.deadLetters(settings.apply(new QueueConfiguration()));
    }

    final void appendInput(String key, String... texts) {
        EngineUnderTest writer = new EngineUnderTest(store(), harness().clock());
        var unused = writer.run(context -> List.of(texts).forEach(text -> context.append(INPUT, key, new Noted(text))));
    }

    /** Appends the same text to many keys in one commit: {@code k7:text}. */
    final void appendToKeys(int count, String text) {
        EngineUnderTest writer = new EngineUnderTest(store(), harness().clock());
        var unused = writer.run(context -> IntStream.range(0, count)
                .forEach(number -> context.append(INPUT, "k" + number, new Noted("k" + number + ":" + text))));
    }

    static Decision append(AggregateType<Noted> type, String key, String text) {
        return context -> context.append(type, key, new Noted(text));
    }

    /** Parks two events of each key in the state PENDING, one second apart. */
    final void park(CopyingReplica replica, String... keys) {
        for (String key : keys) {
            broken.add(key + "1");
            appendInput(key, key + "1", key + "2");
            run(replica);
            harness().passTime(Duration.ofSeconds(1));
        }
        attempted.clear();
    }

    /** Runs the replicas for enough rounds to finish all work that is due now. */
    final void run(CopyingReplica... replicas) {
        rounds(ROUNDS, replicas);
    }

    final void rounds(int count, CopyingReplica... replicas) {
        for (int i = 0; i < count; i++) {
            for (CopyingReplica replica : replicas) {
                replica.step();
                replica.commit();
            }
        }
    }

    /** Runs the replicas until the future completes, and then finishes the remaining work. */
    final void runUntil(Future<?> done, CopyingReplica... replicas) {
        for (int i = 0; i < MAX_ROUNDS && !done.isDone(); i++) {
            rounds(1, replicas);
        }
        run(replicas);
    }

    /** Runs the replicas while time passes, second by second, and then finishes the remaining work. */
    final void runFor(Duration time, CopyingReplica... replicas) {
        for (long second = 0; second < time.toSeconds(); second++) {
            harness().passTime(Duration.ofSeconds(1));
            rounds(3, replicas);
        }
        run(replicas);
    }

    /** Replays the sequence that has been due longest, and returns whether it was drained. */
    final boolean processAny(CopyingReplica replica) {
        CompletableFuture<Boolean> drained = replica.letters().processAny();
        runUntil(drained, replica);
        return drained.join();
    }

    final Instant now() {
        return harness().clock().instant();
    }

    final List<String> output() {
        return texts(store().eventLog().readStream(OUTPUT.stream(), 0, ALL));
    }

    final List<String> output(String key) {
        return texts(store().eventLog().readKey(OUTPUT.stream(), key, 0, ALL));
    }

    final List<String> texts(List<EventMessage> events) {
        return events.stream()
                .map(event -> codec.decode(event.payload(), Noted.class).text())
                .toList();
    }

    final List<ParkedSequence> parked() {
        return StoredSequences.findAll(store().deadLetterStore(), CopyingReplica.PROCESSOR);
    }

    final ParkedSequence parked(String key) {
        return store().deadLetterStore().find(sequence(key)).orElseThrow();
    }

    final List<DeadLetter> letters(String key) {
        return store().deadLetterStore().findLetters(sequence(key), Long.MIN_VALUE, ALL);
    }

    final DeadLetter firstLetter(String key) {
        return letters(key).get(0);
    }

    final List<String> parkedTexts(String key) {
        return texts(letters(key).stream().map(DeadLetter::message).toList());
    }

    static SequenceId sequence(String key) {
        return sequence(COPIES, key);
    }

    static SequenceId sequence(String component, String key) {
        return new SequenceId(id(component), INPUT.stream() + "/" + key);
    }

    static String id(String component) {
        return StoreHarness.SERVICE + "/" + CopyingReplica.PROCESSOR + "/" + component;
    }

    /** A failure that no retry can fix. */
    static final class Broken extends RuntimeException implements NonRetryableException {
        Broken(String text) {
            super("broken " + text);
        }
    }
}
