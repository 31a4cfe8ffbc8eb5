package io.holdfast.processing;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceId;
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
        return one(nextDueFirst(null, 1));
    }

    @Override
    public CompletableFuture<Boolean> process(Predicate<DeadLetter> head) {
        return one(nextDueFirst(head, 1));
    }

    @Override
    public CompletableFuture<Boolean> processSequence(String sequence) {
        return one(new NamedChoice(context.stores().letters(), new SequenceId(component, sequence)));
    }

    private CompletableFuture<Boolean> one(ReplayChoice choice) {
        return ask(choice, BulkReplaySettings.UNLIMITED, 1).result().thenApply(progress -> progress.drained() == 1);
    }

    @Override
    public BulkReplay processAll(Predicate<DeadLetter> head, BulkReplaySettings settings) {
        return ask(nextDueFirst(head, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    @Override
    public BulkReplay processAll(BulkReplaySettings settings) {
        return ask(nextDueFirst(null, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    private ReplayChoice nextDueFirst(@Nullable Predicate<DeadLetter> head, long most) {
        return new NextDueFirst(context.stores().letters(), component, head, most, context.now());
    }

    private ReplayRun ask(ReplayChoice choice, BulkReplaySettings settings, long most) {
        ReplayRun run = new ReplayRun(context, choice, settings, most);
        desk.ask(run);
        return run;
    }
}
