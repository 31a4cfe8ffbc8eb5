package io.holdfast.admin.deadletter;

import io.holdfast.RetryableException;
import io.holdfast.action.Action.Kind;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.admin.component.UnknownComponentException;
import io.holdfast.admin.component.UnknownProcessorException;
import io.holdfast.admin.deadletter.LetterActions.Result;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds, inspects, replays and discards the letters of a service. The REST API, the console and AI assistants all use
 * these operations.
 *
 * <p>There is no authentication yet: every caller can change what is parked.
 *
 * <p>Thread-safe. Throws a {@link io.holdfast.RetryableException} if an operation is not possible now, because the
 * store does not respond or the processor is paused.
 */
public final class DeadLetterOperations {

    /** Default time to wait for the outcome of a replay. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private final ServiceComponents components;
    private final DeadLetterStore store;
    private final LetterActions actions;
    private final DeadLetterListing listing;
    private final LetterInspection inspection;

    public DeadLetterOperations(HoldfastService service) {
        this.components = new ServiceComponents(service);
        this.store = service.deadLetters();
        this.actions = new LetterActions(service.actions());
        this.listing = new DeadLetterListing(store, components);
        this.inspection = new LetterInspection(store);
    }

    /**
     * Returns the matching entries, newest first: by the time at which the first letter of their sequence was parked.
     *
     * @throws UnknownComponentException if the service has no such component
     * @throws UnknownProcessorException if the service has no such processor
     */
    public DeadLetterPage find(DeadLetterQuery query) {
        return listing.find(query);
    }

    /** Returns the number of PENDING letters, which need an operator. */
    public long count() {
        return components.all().stream()
                .map(component -> store.counts(component.id()))
                .mapToLong(QueueCounts::pendingLetters)
                .sum();
    }

    public Optional<DeadLetterDetails> inspect(String entryId) {
        return components.locate(entryId).flatMap(inspection::inspect);
    }

    /**
     * Replays a letter immediately, in any state of its sequence. The letters behind it follow automatically. The
     * letter must be the first of its sequence. Idempotent: however often and on whichever replica a replay is
     * requested, the letter takes effect once. The replay is durable before it starts, and runs at the replica that has
     * claimed the letter's segment, also if this one dies.
     *
     * @param timeout how long to wait for the outcome
     */
    public ReplayResult replay(String entryId, Duration timeout) {
        return components
                .locate(entryId)
                .map(entry -> replay(entry, timeout))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    private ReplayResult replay(EntryReference entry, Duration timeout) {
        DeadLetter letter = find(entry).orElse(null);
        ParkedSequence sequence =
                letter == null ? null : store.find(letter.sequence()).orElse(null);
        if (letter == null || sequence == null || letter.number() < sequence.first()) {
            return noLongerParked(entry);
        }
        if (letter.number() > sequence.first()) {
            return store.findLetters(sequence.id(), 0, 1).stream()
                    .findFirst()
                    .map(first -> ReplayResult.notFirst(
                            entry.component().entryId(first.message().id())))
                    .orElseGet(() -> noLongerParked(entry));
        }
        requireNotPaused(entry);
        return actions.run(Kind.REPLAY, entry, letter, sequence, timeout)
                .outcome()
                .map(ReplayResult::of)
                .orElseGet(() -> ReplayResult.of(Status.RUNNING));
    }

    private static void requireNotPaused(EntryReference entry) {
        if (entry.component().processor().status().paused()) {
            throw new RetryableException("processor " + entry.component().processorName()
                    + " cannot replay letters: it is paused; resume it first");
        }
    }

    private Optional<DeadLetter> find(EntryReference entry) {
        return store.findLetter(entry.component().id(), entry.event());
    }

    private ReplayResult noLongerParked(EntryReference entry) {
        return actions.findResolved(entry)
                .filter(resolved -> resolved.status() == ResolvedLetter.Status.REPLAYED)
                .map(resolved -> ReplayResult.of(Status.ALREADY_APPLIED))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    /**
     * Removes a letter permanently, without effect. If others wait behind it, the next one is attempted automatically.
     * Durable before it starts, as a replay.
     */
    public DiscardResult discard(String entryId) {
        EntryReference entry = components.locate(entryId).orElse(null);
        DeadLetter letter = entry == null ? null : find(entry).orElse(null);
        ParkedSequence sequence =
                letter == null ? null : store.find(letter.sequence()).orElse(null);
        if (entry == null || letter == null || sequence == null) {
            return DiscardResult.NOT_FOUND;
        }
        Result result = actions.run(Kind.DISCARD, entry, letter, sequence, REQUEST_TIMEOUT);
        return result.outcome()
                .map(outcome -> DiscardResult.of(result.kind(), outcome.outcome()))
                .orElse(result.kind() == Kind.DISCARD ? DiscardResult.RUNNING : DiscardResult.BEING_REPLAYED);
    }
}
