package io.holdfast.admin.receipt;

import io.holdfast.action.LetterItem;
import io.holdfast.action.OperationItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.Requester;
import io.holdfast.admin.component.EntryId;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.receipt.ReceiptDetails.Item;
import io.holdfast.deadletter.LetterOutcome.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Shows stored receipts to operators. */
final class ReceiptDetailsMapping {

    /** Options with content of events, which receipts do not show. */
    private static final String PAYLOAD = "payload";

    private ReceiptDetailsMapping() {}

    static ReceiptDetails of(String service, Receipt receipt, List<Receipt.Item> items) {
        Requester requester = receipt.requester();
        return new ReceiptDetails(
                receipt.action(),
                receipt.kind().name(),
                state(receipt),
                receipt.target(),
                options(receipt),
                requester.operator(),
                Objects.requireNonNullElse(requester.role(), ""),
                requester.reason(),
                receipt.requestedAt(),
                receipt.endedAt(),
                via(service, requester),
                totals(receipt.totals()),
                receipt.alsoHandled(),
                List.of(new ReceiptDetails.Part(service, receipt.selected())),
                List.of(),
                items.stream().map(ReceiptDetailsMapping::item).toList(),
                next(receipt, items));
    }

    private static String state(Receipt receipt) {
        if (receipt.state() == Receipt.State.STOPPED) {
            return "STOPPED";
        }
        return receipt.isDone() ? "DONE" : "OPEN";
    }

    private static Map<String, String> options(Receipt receipt) {
        Map<String, String> shown = new TreeMap<>(receipt.options());
        shown.remove(PAYLOAD);
        return shown;
    }

    private static Operator.Via via(String service, Requester requester) {
        return requester.via() == null
                ? new Operator.Via(service, "", null)
                : new Operator.Via(
                        requester.via().service(),
                        requester.via().replica(),
                        requester.via().address());
    }

    private static Map<String, Long> totals(Receipt.Totals totals) {
        Map<String, Long> shown = new LinkedHashMap<>();
        shown.put("selected", totals.selected());
        shown.put("open", totals.open());
        totals.outcomes().forEach((outcome, count) -> shown.put(name(outcome), count));
        return shown;
    }

    /** Returns the outcome in the style of properties: {@code failedAgain}. */
    private static String name(Outcome outcome) {
        return switch (outcome) {
            case APPLIED -> "applied";
            case FAILED_AGAIN -> "failedAgain";
            case ALREADY_APPLIED -> "alreadyApplied";
            case DISCARDED -> "discarded";
            case RESTORED -> "restored";
            case EDITED -> "edited";
            case CLEARED -> "cleared";
            case REFUSED -> "refused";
            case NOT_TRIED -> "notTried";
        };
    }

    private static Item item(Receipt.Item item) {
        Receipt.Result result = item.result();
        boolean isLetter = item.item() instanceof LetterItem;
        return new Item(
                item.item() instanceof LetterItem letter
                        ? EntryId.of(letter.component(), letter.event()).toString()
                        : null,
                item.item() instanceof OperationItem operation ? operation.type() + " " + operation.name() : null,
                result == null ? null : result.outcome().name(),
                result == null ? null : result.detail(),
                result == null ? null : result.cause(),
                result == null ? null : result.at(),
                result == null ? null : result.replica(),
                result == null || !isLetter ? null : result.appended(),
                (result == null || result.isDurable()) ? null : (Boolean) false);
    }

    private static @Nullable String next(Receipt receipt, List<Receipt.Item> items) {
        if (items.size() < ReceiptReader.ITEMS_PER_PAGE) {
            return null;
        }
        int next = items.get(items.size() - 1).number() + 1;
        return next < receipt.selected() ? Integer.toString(next) : null;
    }
}
