package io.holdfast.admin.receipt;

import io.holdfast.action.Action;
import io.holdfast.action.Receipt;
import io.holdfast.admin.gateway.Failures;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs who requested what, a line per action and per refusal, as logger {@code holdfast.audit}. */
final class AuditLog {

    private static final Logger log = LoggerFactory.getLogger("holdfast.audit");

    void log(Action action, @Nullable Receipt receipt, @Nullable Throwable failure) {
        String result = receipt != null ? "staged" : "refused: " + reason(failure);
        log.info(
                "Action {} ({} {}) by {} as {} via {} from {}, reason {}: {}",
                action.id(),
                action.kind(),
                oneLine(action.target()),
                action.requester().operator(),
                action.requester().role(),
                action.requester().via() == null
                        ? null
                        : action.requester().via().replica(),
                action.requester().via() == null
                        ? null
                        : action.requester().via().address(),
                oneLine(action.requester().reason()),
                result);
    }

    /** An operator's text must not look like further lines of the log. */
    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("\\p{Cntrl}", " ");
    }

    private static String reason(@Nullable Throwable failure) {
        OperatorProblem refused = Failures.problem(failure);
        return refused == null ? String.valueOf(failure) : refused.problem().code();
    }

    void stopped(Receipt receipt, Operator operator) {
        log.info(
                "Action {} ({} {}) stopped by {} as {} via {} from {}",
                receipt.action(),
                receipt.kind(),
                receipt.target(),
                operator.name(),
                operator.role(),
                operator.via().replica(),
                operator.via().address());
    }
}
