package io.holdfast.admin.receipt;

import io.holdfast.action.Action.Kind;
import io.holdfast.admin.gateway.Gathered;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptAnswer;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptList;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptQuestion;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds the receipts of all services, from any of them. Never blocks. Thread-safe. */
public final class Receipts {

    private static final Comparator<ReceiptDetails> NEWEST_FIRST = Comparator.comparing(
                    ReceiptDetails::requestedAt, Comparator.reverseOrder())
            .thenComparing(ReceiptDetails::receiptId, Comparator.reverseOrder());

    private final ServiceGateway gateway;

    public Receipts(ServiceGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * One page of receipts, newest first, without their items.
     *
     * @param next the last receipt of the page; null if there is no other page
     * @param incomplete the services that have not answered
     */
    public record Page(List<ReceiptDetails> receipts, ReceiptFilter.@Nullable Cursor next, List<String> incomplete) {}

    /**
     * A receipt.
     *
     * @param incomplete the services that have not answered, and may have a part of it
     */
    public record Found(ReceiptDetails receipt, List<String> incomplete) {}

    public CompletableFuture<Page> find(ReceiptFilter filter, Operator operator) {
        return gateway.gather(ReceiptEndpoints.FIND, operator, filter, name -> true)
                .thenApply(lists -> page(lists, filter.limit()));
    }

    private static Page page(Gathered<ReceiptList> lists, int limit) {
        List<ReceiptDetails> receipts = lists.answers().values().stream()
                .flatMap(list -> list.receipts().stream())
                .sorted(NEWEST_FIRST)
                .limit(limit)
                .toList();
        boolean isFull = receipts.size() == limit;
        return new Page(receipts, isFull ? ReceiptFilter.Cursor.of(receipts.get(limit - 1)) : null, lists.incomplete());
    }

    /**
     * Returns a receipt with a page of its items. The future fails with an {@link OperatorProblem} if no service that has
     * answered has it.
     *
     * @param fromItem the number of the first item
     */
    public CompletableFuture<Found> find(String receiptId, int fromItem, Operator operator) {
        return gateway.gather(
                        ReceiptEndpoints.READ, operator, new ReceiptQuestion(receiptId, fromItem, 0), name -> true)
                .thenApply(answers -> merged(receiptId, answers));
    }

    /** Stops an action at all its owners: its open items become NOT_TRIED. */
    public CompletableFuture<Found> stop(String receiptId, Operator operator) {
        Permissions.requireRole(operator, Kind.REPLAY, false);
        return gateway.gather(ReceiptEndpoints.STOP, operator, new ReceiptQuestion(receiptId, 0, 0), name -> true)
                .thenApply(answers -> merged(receiptId, answers));
    }

    private static Found merged(String receiptId, Gathered<ReceiptAnswer> answers) {
        return answers.answers().values().stream()
                .map(ReceiptAnswer::receipt)
                .filter(Objects::nonNull)
                .sorted(NEWEST_FIRST)
                .reduce(ReceiptDetails::with)
                .map(receipt -> new Found(receipt, answers.incomplete()))
                .orElseThrow(() -> unknown(receiptId, answers.incomplete()));
    }

    private static OperatorProblem unknown(String receiptId, List<String> incomplete) {
        String silent = incomplete.isEmpty()
                ? ""
                : "; these services have not answered, and may have it: " + String.join(", ", incomplete);
        return OperatorProblem.of(
                404,
                "not-found",
                "Receipt not found",
                "no service has a receipt " + receiptId + silent,
                "GET /api/admin/receipts lists the receipts of all services");
    }
}
