package io.holdfast.eventsourcing;

import io.holdfast.RetryableException;
import io.holdfast.action.Settlement;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.aggregate.Decision;
import io.holdfast.aggregate.state.AggregateState;
import io.holdfast.aggregate.state.AggregateStates;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.group.CommitUnit;
import io.holdfast.commit.group.Committer;
import io.holdfast.commit.group.Part;
import io.holdfast.commit.group.PartId;
import io.holdfast.commit.group.PartResult;
import io.holdfast.commit.group.UnitOutcome;
import io.holdfast.event.EventLog;
import io.holdfast.event.EventMessage;
import io.holdfast.event.Metadata;
import io.holdfast.event.Names;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Executes the commands of an event-sourced service and reads states and histories.
 *
 * <p>A command returns after its events are durable. From then on, {@link #state} and {@link #history} show the
 * change. A command whose decision throws changes nothing, and the caller gets the exception unchanged. A command that
 * takes longer than the timeout throws {@link OutcomeUnknownException}: it may still be committed later, and repeating it
 * with the same key is idempotent.
 *
 * <p>Thread-safe.
 */
public final class EventSourcingController {

    /** Longer than the committer needs to detect that it is stalled, so that most callers learn the cause. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final String component;
    private final Committer committer;
    private final AggregateStates states;
    private final EventLog eventLog;
    private final Duration timeout;

    /** Creates a controller with the default timeout. */
    public EventSourcingController(String service, Committer committer, AggregateStates states, EventLog eventLog) {
        this(service, committer, states, eventLog, DEFAULT_TIMEOUT);
    }

    /** @param timeout the maximum time that {@code execute} waits for a command */
    public EventSourcingController(
            String service, Committer committer, AggregateStates states, EventLog eventLog, Duration timeout) {
        this.component = Names.require("name of service", service) + "/commands";
        this.committer = committer;
        this.states = states;
        this.eventLog = eventLog;
        this.timeout = timeout;
    }

    /**
     * Decides over any number of keys and waits until the events are durable.
     *
     * @throws OutcomeUnknownException if it is unknown whether they are, for example after the timeout
     */
    public CommandResult execute(Command command, Decision decision) {
        committer.checkMayBlock();
        CompletableFuture<CommandResult> submitted = submit(command, decision);
        try {
            return submitted
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof TimeoutException) {
                throw new OutcomeUnknownException(
                        "command " + command.id() + " was not completed within " + timeout + "; it may still be"
                                + " committed. Repeating it with the same idempotency key is safe",
                        cause);
            }
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    /**
     * Decides over one key and waits until the events are durable.
     *
     * @param decide maps the newest state to the events to append, in order
     */
    public <S> CommandResult execute(
            Command command, AggregateType<S> type, String key, Function<S, ? extends Collection<?>> decide) {
        return execute(command, Decision.over(type, key, decide));
    }

    /**
     * Decides over any number of keys. The future fails with the exception of the decision, or as described in
     * {@link Committer}. It completes on the committer's thread.
     */
    public CompletableFuture<CommandResult> submit(Command command, Decision decision) {
        return submit(command, decision, null);
    }

    /**
     * As {@link #submit(Command, Decision)}. Commits the settlement together with the decision; if its item is settled,
     * the future fails with an {@link io.holdfast.action.AlreadySettledException} and nothing was changed.
     */
    public CompletableFuture<CommandResult> submit(
            Command command, Decision decision, @Nullable Settlement settlement) {
        Part part = Part.of(new PartId(command.id(), component), metadata(command), decision);
        CommitUnit unit = CommitUnit.of(command.repeatable() ? part.asRepeatable() : part);
        return committer
                .submit(settlement == null ? unit : unit.settling(settlement))
                .thenApply(EventSourcingController::result);
    }

    /**
     * Returns the newest committed state of a key, whichever replica committed it; the initial state if it has no
     * events.
     */
    public <S> S state(AggregateType<S> type, String key) {
        return load(type, key).state();
    }

    /** Returns the newest committed state of a key with its version; version 0 if it has no events. */
    public <S> AggregateState<S> load(AggregateType<S> type, String key) {
        return states.newest(type, key);
    }

    /** Returns the events of a key with versions above {@code after}, in order, at most {@code limit}. */
    public List<EventMessage> history(AggregateType<?> type, String key, long after, int limit) {
        return eventLog.readKey(type.stream(), key, after, limit);
    }

    private static Metadata metadata(Command command) {
        String id = command.id().toString();
        Metadata given = command.metadata().withCausationId(id);
        return given.correlationId().isPresent() ? given : given.withCorrelationId(id);
    }

    private static CommandResult result(UnitOutcome outcome) {
        if (outcome instanceof UnitOutcome.PartsFailed failed) {
            throw thrown(failed.failures().values().iterator().next());
        }
        PartResult part = ((UnitOutcome.Committed) outcome).parts().get(0);
        return new CommandResult(part.events(), part.duplicate());
    }

    private static RuntimeException thrown(Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            return unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        return new RetryableException("a decision threw a checked exception", failure);
    }
}
