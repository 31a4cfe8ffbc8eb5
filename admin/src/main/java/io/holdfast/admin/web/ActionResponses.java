package io.holdfast.admin.web;

import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.deadletter.LetterOutcome;
import java.net.URI;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/** Responds with the outcome of an action, or with its receipt if it takes longer. */
final class ActionResponses {

    static final String RECEIPTS = "/api/admin/receipts";

    private static final String REFUSED = "REFUSED";

    private ActionResponses() {}

    static ResponseEntity<Object> of(ReceiptDetails receipt) {
        ReceiptDetails.Item item =
                receipt.items().isEmpty() ? null : receipt.items().get(0);
        if (!receipt.isDone() || item == null || item.outcome() == null) {
            return accepted(receipt);
        }
        if (item.outcome().equals(REFUSED)) {
            throw refused(receipt, item);
        }
        return ResponseEntity.ok().location(location(receipt)).body(ActionResponse.of(receipt, item, item.outcome()));
    }

    /** Responds with the receipt of an action on several items, each of which has an outcome of its own. */
    static ResponseEntity<Object> receipt(ReceiptDetails receipt) {
        return receipt.isDone()
                ? ResponseEntity.ok().location(location(receipt)).body(receipt)
                : accepted(receipt);
    }

    /** The action continues; its receipt shows the outcome later. */
    static ResponseEntity<Object> accepted(ReceiptDetails receipt) {
        return ResponseEntity.status(HttpStatus.ACCEPTED)
                .location(location(receipt))
                .body(receipt);
    }

    private static URI location(ReceiptDetails receipt) {
        return URI.create(RECEIPTS + "/" + receipt.receiptId());
    }

    private static OperatorProblem refused(ReceiptDetails receipt, ReceiptDetails.Item item) {
        String detail = Objects.requireNonNullElse(item.detail(), "refused");
        boolean isBeingReplayed = detail.equals(LetterOutcome.BEING_REPLAYED);
        return new OperatorProblem(new OperatorProblem.Problem(
                detail.equals(LetterOutcome.STALE) ? 412 : 409,
                isBeingReplayed ? "in-progress" : code(detail),
                "Refused",
                receipt.kind() + " of " + receipt.target() + " was refused: " + detail,
                isBeingReplayed
                        ? "Wait until the sequence was replayed, then repeat the request with another Idempotency-Key"
                        : "Nothing was changed; the receipt has the details",
                receipt.receiptId()));
    }

    /** A handler of letters states a code, one of operations a sentence. */
    private static String code(String detail) {
        return detail.contains(" ") ? "refused" : detail;
    }
}
