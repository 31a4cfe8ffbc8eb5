package io.holdfast.admin.deadletter;

import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.admin.component.UnknownComponentException;
import io.holdfast.admin.component.UnknownProcessorException;
import io.holdfast.admin.deadletter.ReplayResult.Status;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.deadletter.SequenceOutcome;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

    private static final long ANY_TIME = -1;

    private final ServiceComponents components;
    private final DeadLetterStore store;
    private final Departures departures;
    private final DeadLetterListing listing;
    private final LetterInspection inspection;
    private final ReplaysInProgress replays = new ReplaysInProgress();

    /** @param departures must be registered as a listener of the service; otherwise outcomes are unknown */
    public DeadLetterOperations(HoldfastService service, Departures departures) {
        this.components = new ServiceComponents(service);
        this.store = service.deadLetters();
        this.departures = departures;
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
     * requested, the letter takes effect once.
     *
     * @param timeout how long to wait for the outcome
     */
    public ReplayResult replay(String entryId, Duration timeout) {
        long moment = departures.moment();
        return components
                .locate(entryId)
                .map(entry -> replay(entry, moment, timeout))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    private ReplayResult replay(EntryReference entry, long moment, Duration timeout) {
        DeadLetter letter = find(entry).orElse(null);
        ParkedSequence sequence =
                letter == null ? null : store.find(letter.sequence()).orElse(null);
        if (letter == null || sequence == null || letter.number() < sequence.first()) {
            return noLongerParked(entry, timeout);
        }
        if (letter.number() > sequence.first()) {
            return store.findLetters(sequence.id(), 0, 1).stream()
                    .findFirst()
                    .map(first -> ReplayResult.notFirst(
                            entry.component().entryId(first.message().id())))
                    .orElseGet(() -> noLongerParked(entry, timeout));
        }
        return replays.awaiting(entry, () -> {
            CompletableFuture<Boolean> processing = entry.component()
                    .deadLetterProcessor()
                    .processSequence(sequence.id().sequence())
                    .thenApply(SequenceOutcome::drained);
            replays.begin(sequence.id(), processing);
            return new LetterReplay(departures, entry, sequence, moment, processing).await(timeout);
        });
    }

    private Optional<DeadLetter> find(EntryReference entry) {
        return store.findLetter(entry.component().id(), entry.event());
    }

    /** A concurrent replay may just have removed the letter; its outcome is then known shortly after. */
    private ReplayResult noLongerParked(EntryReference entry, Duration timeout) {
        // Read first: an outcome is known before its replay stops being awaited.
        boolean isAwaited = replays.isAwaited(entry);
        return departures
                .await(entry.component().id(), entry.event(), ANY_TIME, isAwaited ? timeout : Duration.ZERO)
                .filter(outcome -> outcome == Departures.Outcome.APPLIED)
                .map(outcome -> ReplayResult.of(Status.ALREADY_APPLIED))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    /**
     * Removes a letter permanently, without effect. If others wait behind it, the next one is attempted automatically.
     */
    public DiscardResult discard(String entryId) {
        EntryReference entry = components.locate(entryId).orElse(null);
        DeadLetter letter = entry == null ? null : find(entry).orElse(null);
        if (entry == null || letter == null) {
            return DiscardResult.NOT_FOUND;
        }
        if (replays.contains(letter.sequence())) {
            return DiscardResult.BEING_REPLAYED;
        }
        boolean wasParked = entry.component().queue().evict(letter);
        entry.component().processor().wake();
        return wasParked ? DiscardResult.DISCARDED : DiscardResult.NOT_FOUND;
    }
}
