package io.holdfast.admin.deadletter;

import io.holdfast.action.ActionStore;
import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.component.ServiceComponents;
import io.holdfast.deadletter.DeadLetter;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryDetails;
import io.holdfast.event.Payload;
import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads one entry with its full context. Thread-safe. */
final class LetterInspection {

    /** Keeps numbers exactly as they were written. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final HoldfastService service;
    private final DeadLetterStore letters;
    private final ActionStore actions;
    private final DeadLetterEntries entries;

    LetterInspection(HoldfastService service, ServiceComponents components) {
        this.service = service;
        this.letters = service.deadLetters();
        this.actions = service.actions();
        this.entries = new DeadLetterEntries(components);
    }

    Optional<DeadLetterDetails> inspect(EntryId id) {
        return service.entries().find(id.componentId(), id.event()).map(found -> details(id, found));
    }

    private DeadLetterDetails details(EntryId id, EntryDetails found) {
        DeadLetter letter = found.letter();
        List<DeadLetter> neighbours = found.entry().status().isParked() ? neighbours(letter) : List.of();
        return new DeadLetterDetails(
                entries.of(found.entry(), payload(letter.message().payload())),
                letter.version(),
                letter.message().payload().revision(),
                letter.cause(),
                letter.attempts(),
                letter.diagnostics(),
                letter.message().metadata().asMap(),
                ids(id, neighbours, other -> other.number() < letter.number()),
                ids(id, neighbours, other -> other.number() > letter.number()),
                receipts(id),
                letter.message().occurredAt(),
                letter.message().source(),
                letter.message().version(),
                letter.message().position());
    }

    private List<DeadLetter> neighbours(DeadLetter letter) {
        long from = letter.number() - DeadLetterDetails.NEIGHBOURS; // numbers of restored letters may be negative
        return letters.findLetters(letter.sequence(), from, 2 * DeadLetterDetails.NEIGHBOURS + 1);
    }

    private static List<String> ids(EntryId id, List<DeadLetter> letters, Predicate<DeadLetter> filter) {
        return letters.stream()
                .filter(filter)
                .limit(DeadLetterDetails.NEIGHBOURS)
                .map(letter ->
                        EntryId.of(id.componentId(), letter.message().id()).toString())
                .toList();
    }

    private List<String> receipts(EntryId id) {
        ReceiptQuery query = ReceiptQuery.newest(DeadLetterDetails.RECEIPTS)
                .ofComponent(id.componentId())
                .ofEvent(id.event());
        return actions.findReceipts(query).stream().map(Receipt::action).toList();
    }

    private static @Nullable Object payload(Payload payload) {
        if (payload.isWithoutContent()) {
            return null;
        }
        try {
            return JSON.readValue(payload.json(), Object.class);
        } catch (JacksonException e) {
            return payload.json(); // not written by the codec: show the raw text
        }
    }
}
