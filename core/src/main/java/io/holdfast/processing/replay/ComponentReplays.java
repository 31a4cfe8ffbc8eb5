package io.holdfast.processing.replay;

import io.holdfast.deadletter.BulkReplay;
import io.holdfast.deadletter.BulkReplaySettings;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.SequenceId;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.deadletter.SequencedDeadLetterProcessor;
import io.holdfast.processing.segment.ProcessorContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Replays the parked letters of one component. */
public final class ComponentReplays implements SequencedDeadLetterProcessor {

    private final ProcessorContext context;
    private final ReplayRequests requests;
    private final String component;

    public ComponentReplays(ProcessorContext context, ReplayRequests requests, String component) {
        this.context = context;
        this.requests = requests;
        this.component = component;
    }

    @Override
    public CompletableFuture<SequenceOutcome> processNext() {
        return processOne(nextDueFirst(null, 1));
    }

    @Override
    public CompletableFuture<SequenceOutcome> processNext(Predicate<DeadLetter> firstLetter) {
        return processOne(nextDueFirst(firstLetter, 1));
    }

    @Override
    public CompletableFuture<SequenceOutcome> processSequence(String sequence) {
        return processOne(new OneSequence(context.stores().letters(), new SequenceId(component, sequence)));
    }

    private CompletableFuture<SequenceOutcome> processOne(ReplaySelection selection) {
        return submit(selection, BulkReplaySettings.UNLIMITED, 1).outcome();
    }

    @Override
    public BulkReplay processAll(Predicate<DeadLetter> firstLetter, BulkReplaySettings settings) {
        return submit(nextDueFirst(firstLetter, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    @Override
    public BulkReplay processAll(BulkReplaySettings settings) {
        return submit(nextDueFirst(null, Long.MAX_VALUE), settings, Long.MAX_VALUE);
    }

    private ReplaySelection nextDueFirst(@Nullable Predicate<DeadLetter> firstLetter, long limit) {
        return new NextDueFirst(context.stores().letters(), component, firstLetter, limit, context.clock());
    }

    private ReplayRun submit(ReplaySelection selection, BulkReplaySettings settings, long limit) {
        ReplayRun run = new ReplayRun(context, selection, settings, limit);
        requests.submit(run);
        return run;
    }
}
