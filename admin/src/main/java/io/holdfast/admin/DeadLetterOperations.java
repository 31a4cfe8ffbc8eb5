package io.holdfast.admin;

import io.holdfast.admin.ReplayResult.Status;
import io.holdfast.admin.ServiceComponents.EntryReference;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.QueueCounts;
import io.holdfast.service.HoldfastService;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What operators do about the letters of a service: find, inspect, replay and discard them. The REST API, the console and
 * assistants all come here.
 *
 * <p>Nobody is asked who they are: whoever can call this may change what is parked.
 *
 * <p>For any number of threads. What cannot be done now, since the store does not answer or the processor is paused, is a
 * {@link io.holdfast.RetryableException}.
 */
public final class DeadLetterOperations {

    /** How long a caller usually waits for a replay. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private static final long ANY_TIME = -1;

    private final ServiceComponents components;
    private final DeadLetterStore store;
    private final Departures departures;
    private final DeadLetterListing listing;
    private final LetterInspection inspection;
    private final ReplaysInProgress replays = new ReplaysInProgress();

    /** @param departures a listener of the service, or nobody knows how letters leave */
    public DeadLetterOperations(HoldfastService service, Departures departures) {
        this.components = new ServiceComponents(service);
        this.store = service.deadLetters();
        this.departures = departures;
        this.listing = new DeadLetterListing(store, components);
        this.inspection = new LetterInspection(store);
    }

    /**
     * The entries that match, newest first: by when the first letter of their sequence was parked.
     *
     * @throws UnknownComponentException if the service has no such component
     * @throws UnknownProcessorException if the service has no such processor
     */
    public DeadLetterPage find(DeadLetterQuery query) {
        return listing.find(query);
    }

    /** How many letters wait for a person. */
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
     * Gives a letter to its component again, now, whatever it waits for; those behind it follow by themselves. It must be the
     * first of its sequence. However often and from wherever it is asked for, the letter takes effect once.
     *
     * @param patience how long to wait for what comes of it
     */
    public ReplayResult replay(String entryId, Duration patience) {
        long moment = departures.moment();
        return components
                .locate(entryId)
                .map(place -> replay(place, moment, patience))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    private ReplayResult replay(EntryReference place, long moment, Duration patience) {
        DeadLetter letter = find(place).orElse(null);
        ParkedSequence sequence =
                letter == null ? null : store.find(letter.sequence()).orElse(null);
        if (letter == null || sequence == null || letter.number() < sequence.first()) {
            return noLongerParked(place, patience);
        }
        if (letter.number() > sequence.first()) {
            return store.findLetters(sequence.id(), 0, 1).stream()
                    .findFirst()
                    .map(first -> ReplayResult.notFirst(
                            place.component().entryId(first.message().id())))
                    .orElseGet(() -> noLongerParked(place, patience));
        }
        return replays.awaiting(place, () -> {
            CompletableFuture<Boolean> processing = place.component()
                    .deadLetterProcessor()
                    .processSequence(sequence.id().sequence());
            replays.begin(sequence.id(), processing);
            return new LetterReplay(departures, place, sequence, moment, processing).await(patience);
        });
    }

    private Optional<DeadLetter> find(EntryReference place) {
        return store.findLetter(place.component().id(), place.event());
    }

    /** It may have left a moment ago, in the replay that somebody else waits for; then it is told how in a moment. */
    private ReplayResult noLongerParked(EntryReference place, Duration patience) {
        boolean isAwaited = replays.isAwaited(place); // asked first: who waited is told before it waits no more
        return departures
                .await(place.component().id(), place.event(), ANY_TIME, isAwaited ? patience : Duration.ZERO)
                .filter(way -> way == Departures.Way.APPLIED)
                .map(way -> ReplayResult.of(Status.ALREADY_APPLIED))
                .orElseGet(() -> ReplayResult.of(Status.NOT_FOUND));
    }

    /** Removes a letter for good, without effect. If others wait behind it, the next one is tried by itself. */
    public DiscardResult discard(String entryId) {
        EntryReference place = components.locate(entryId).orElse(null);
        DeadLetter letter = place == null ? null : find(place).orElse(null);
        if (place == null || letter == null) {
            return DiscardResult.NOT_FOUND;
        }
        if (replays.contains(letter.sequence())) {
            return DiscardResult.BEING_REPLAYED;
        }
        boolean wasThere = place.component().queue().evict(letter);
        place.component().processor().wake();
        return wasThere ? DiscardResult.DISCARDED : DiscardResult.NOT_FOUND;
    }
}
