package io.holdfast.processing;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks for what is parked of one component. */
final class ComponentReplays implements SequencedDeadLetterProcessor {

    private final ProcessorContext context;
    private final ReplayDesk desk;
    private final String component;

    ComponentReplays(ProcessorContext context, ReplayDesk desk, String component) {
        this.context = context;
        this.desk = desk;
        this.component = component;
    }

    @Override
    public CompletableFuture<Boolean> processAny() {
        return one(null);
    }

    @Override
    public CompletableFuture<Boolean> process(Predicate<DeadLetter> head) {
        return one(head);
    }

    private CompletableFuture<Boolean> one(@Nullable Predicate<DeadLetter> head) {
        return ask(head, BulkReplaySettings.UNLIMITED, 1).result().thenApply(progress -> progress.drained() == 1);
    }

    @Override
    public BulkReplay processAll(Predicate<DeadLetter> head, BulkReplaySettings settings) {
        return ask(head, settings, Long.MAX_VALUE);
    }

    @Override
    public BulkReplay processAll(BulkReplaySettings settings) {
        return ask(null, settings, Long.MAX_VALUE);
    }

    private ReplayRun ask(@Nullable Predicate<DeadLetter> head, BulkReplaySettings settings, long most) {
        ReplayChoice choice = new ReplayChoice(context.stores().letters(), component, head, most, context.now());
        ReplayRun run = new ReplayRun(context, choice, settings, most);
        desk.ask(run);
        return run;
    }
}
