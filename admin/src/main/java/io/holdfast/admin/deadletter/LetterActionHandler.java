package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;
import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.ParkedSequence;
import io.holdfast.deadletter.ResolvedLetter;
import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Checks what operators request for single letters, at the service that owns them. Thread-safe. */
public final class LetterActionHandler implements ActionHandler {

    /** Option of a replay: the entry at which the replay of the sequence starts. */
    static final String REPLAYED_FROM = "replayedFrom";

    /** Option of a replay whose saga's tracker has not answered. */
    static final String SAGA_UNKNOWN = "sagaUnknown";

    private final HoldfastService service;
    private final DeadLetterStore store;
    private final SagaEndingSource sagas;
    private final int maxReplays;

    /** @param maxReplays {@code framework.dlq.max-replay-attempts} */
    public LetterActionHandler(HoldfastService service, SagaEndingSource sagas, int maxReplays) {
        this.service = service;
        this.store = service.deadLetters();
        this.maxReplays = maxReplays;
        this.sagas = sagas;
    }

    /** Finds out whether a saga has ended. */
    @FunctionalInterface
    public interface SagaEndingSource {

        CompletableFuture<SagaEnding> find(String sagaId, Operator operator);
    }

    /**
     * How a saga has ended.
     *
     * @param status the final status; empty if the saga runs, or if that is unknown
     * @param isKnown whether the saga's tracker has answered
     */
    public record SagaEnding(Optional<String> status, boolean isKnown) {}

    /** A letter in its sequence. */
    private record Parked(EntryId id, DeadLetter letter, ParkedSequence sequence) {

        boolean isFirst() {
            return letter.number() == sequence.first();
        }

        Action select(Action request) {
            return request.withItems(List.of(LetterItem.of(letter, sequence)));
        }
    }

    @Override
    public boolean handles(Kind kind) {
        return kind == Kind.REPLAY || kind == Kind.DISCARD || kind == Kind.RESTORE || kind == Kind.EDIT;
    }

    @Override
    public CompletableFuture<Action> prepare(Action request, boolean force, Operator operator) {
        EntryId id = EntryId.parse(request.target())
                .filter(each -> each.service().equals(service.name()))
                .orElseThrow(() -> EntryProblems.unknown(request.target()));
        Parked parked = find(id).orElse(null);
        if (parked == null) {
            return CompletableFuture.completedFuture(resolved(request, id, force));
        }
        return switch (request.kind()) {
            case REPLAY -> replay(request, parked, force, operator);
            case EDIT -> CompletableFuture.completedFuture(edit(request, parked));
            case RESTORE -> throw EntryProblems.notDiscarded(id.toString(), "it is parked");
            default -> CompletableFuture.completedFuture(parked.select(request));
        };
    }

    /** The owner validates the payload before it stores the action, so that the executor cannot fail on it. */
    private Action edit(Action request, Parked parked) {
        EventProcessor processor = processor(parked.id());
        if (Boolean.parseBoolean(request.options().get(Action.REPLAYS))) {
            requireRunning(processor, parked.id());
        }
        String expected = request.options().get(Action.EXPECTED_VERSION);
        if (expected != null && !expected.equals(parked.letter().version())) {
            throw EntryProblems.stale(parked.id().toString());
        }
        try {
            processor.requireReadable(
                    parked.letter(), Objects.requireNonNull(request.options().get(Action.PAYLOAD)));
        } catch (PermanentException e) {
            throw EntryProblems.invalidPayload(parked.id().toString(), String.valueOf(e.getMessage()));
        }
        return parked.select(request);
    }

    private Optional<Parked> find(EntryId id) {
        return store.findLetter(id.componentId(), id.event()).flatMap(letter -> store.find(letter.sequence())
                .filter(sequence -> letter.number() >= sequence.first())
                .map(sequence -> new Parked(id, letter, sequence)));
    }

    /** A replay of a letter that was replayed before gets a receipt that states so. */
    private Action resolved(Action request, EntryId id, boolean force) {
        ResolvedLetter resolved = service.actions()
                .findResolved(id.componentId(), id.event())
                .filter(each -> each.status() != ResolvedLetter.Status.CLEARED)
                .orElseThrow(() -> EntryProblems.unknown(id.toString()));
        boolean wasReplayed = resolved.status() == ResolvedLetter.Status.REPLAYED;
        if (request.kind() == Kind.REPLAY && wasReplayed) {
            return request.withItems(List.of(LetterItem.of(resolved)));
        }
        if (request.kind() == Kind.RESTORE) {
            if (wasReplayed) {
                throw EntryProblems.notDiscarded(id.toString(), "it was handled");
            }
            return withOption(
                    request.withItems(List.of(LetterItem.of(resolved))), Action.FORCE, Boolean.toString(force));
        }
        throw EntryProblems.notParked(
                id.toString(), wasReplayed ? "it was handled" : "it was discarded", resolved.action());
    }

    private CompletableFuture<Action> replay(Action request, Parked parked, boolean force, Operator operator) {
        requireRunning(processor(parked.id()), parked.id());
        if (!force) {
            requireReplaysLeft(parked);
        }
        Action selected = parked.select(withOption(request, REPLAYED_FROM, id(parked, first(parked))));
        String saga = parked.letter().message().metadata().sagaId().orElse(null);
        return saga == null || force
                ? CompletableFuture.completedFuture(selected)
                : sagas.find(saga, operator).thenApply(ending -> checked(selected, parked, saga, ending));
    }

    private EventProcessor processor(EntryId id) {
        return Optional.ofNullable(service.processors().get(id.processor()))
                .filter(each -> each.components().stream()
                        .anyMatch(component -> component.stableName().equals(id.component())))
                .orElseThrow(() -> EntryProblems.componentRetired(id.componentId()));
    }

    private static void requireRunning(EventProcessor processor, EntryId id) {
        if (processor.status().paused()) {
            throw EntryProblems.processorPaused(id.service(), id.processor());
        }
    }

    private void requireReplaysLeft(Parked parked) {
        DeadLetter first = first(parked);
        if (first.failedReplays() >= maxReplays) {
            throw EntryProblems.replayLimit(id(parked, first), first.failedReplays(), maxReplays);
        }
    }

    /** A replay starts at the first letter, which others must not overtake. */
    private DeadLetter first(Parked parked) {
        return parked.isFirst()
                ? parked.letter()
                : store.findLetters(parked.sequence().id(), parked.sequence().first(), 1).stream()
                        .findFirst()
                        .orElse(parked.letter());
    }

    private static String id(Parked parked, DeadLetter letter) {
        return EntryId.of(parked.id().componentId(), letter.message().id()).toString();
    }

    private static Action checked(Action selected, Parked parked, String saga, SagaEnding ending) {
        ending.status().ifPresent(status -> {
            throw EntryProblems.sagaEnded(parked.id().toString(), saga, status);
        });
        return ending.isKnown() ? selected : withOption(selected, SAGA_UNKNOWN, saga);
    }

    private static Action withOption(Action action, String name, String value) {
        Map<String, String> options = new TreeMap<>(action.options());
        options.put(name, value);
        return action.withOptions(options);
    }
}
