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
    private final ReplayRequests requests;
    private final String component;

    ComponentReplays(ProcessorContext context, ReplayRequests desk, String component) {
        this.context = context;
        this.requests = desk;
        this.component = component;
    }

    @Override
    public CompletableFuture<Boolean> processAny() {
        return processOne(nextDueFirst(null, 1));
    }

    @Override
    public CompletableFuture<Boolean> process(Predicate<DeadLetter> head) {
        return processOne(nextDueFirst(head, 1));
    }

    @Override
    public CompletableFuture<Boolean> processSequence(String sequence) {
        return processOne(new OneSequence(context.stores().letters(), new SequenceId(component, sequence)));
    }

    private CompletableFuture<Boolean> processOne(ReplaySelection choice) {
        return submit(choice, BulkReplaySettings.UNLIMITED, 1).result().thenApply(progress -> progress.drained() == 1);
    }

    @Override
    public BulkReplay processAll(Predicate<DeadLetter> head, BulkReplaySettings settings) {
        return submit(nextDueFirst(head, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    @Override
    public BulkReplay processAll(BulkReplaySettings settings) {
        return submit(nextDueFirst(null, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    private ReplaySelection nextDueFirst(@Nullable Predicate<DeadLetter> head, long most) {
        return new NextDueFirst(context.stores().letters(), component, head, most, context.now());
    }

    private ReplayRun submit(ReplaySelection choice, BulkReplaySettings settings, long most) {
        ReplayRun run = new ReplayRun(context, choice, settings, most);
        requests.submit(run);
        return run;
    }
}
