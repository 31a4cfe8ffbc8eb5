package io.holdfast.admin.gateway;

import io.holdfast.PermanentException;
import org.jspecify.annotations.Nullable;

/** A request that failed or was refused, as the operator sees it. Thrown at the owner, it reaches the gateway unchanged. */
public final class OperatorProblem extends PermanentException {

    private static final String UNCONFIRMED = "unconfirmed";

    private final Problem problem;

    public OperatorProblem(Problem problem) {
        super(problem.title() + ": " + problem.detail());
        this.problem = problem;
    }

    /**
     * The content of a problem (RFC 9457).
     *
     * @param status the HTTP status code
     * @param code identifies the kind of problem, for programs
     * @param title the kind of problem, for people
     * @param detail what was attempted, on what, and what was found
     * @param action what to do next
     * @param receiptId the receipt that the problem refers to
     */
    public record Problem(
            int status, String code, String title, String detail, @Nullable String action, @Nullable String receiptId) {

        /** Returns whether the owner may have received the request. */
        public boolean isUnconfirmed() {
            return code.equals(UNCONFIRMED);
        }

        public Problem withReceipt(String receipt) {
            return new Problem(status, code, title, detail, action, receipt);
        }
    }

    public static OperatorProblem of(int status, String code, String title, String detail, @Nullable String action) {
        return new OperatorProblem(new Problem(status, code, title, detail, action, null));
    }

    public Problem problem() {
        return problem;
    }

    /** No replica of the owner is live, or none can be reached. Nothing was done and nothing is queued. */
    static OperatorProblem ownerUnavailable(String service, String reason) {
        return of(
                503,
                "owner-unavailable",
                "Owner unavailable",
                "service " + service + " cannot be reached: " + reason,
                "Nothing was done. Repeat the request when a replica of the service is running; GET /api/admin/services"
                        + " lists the live ones");
    }

    /** A replica may have received the request. */
    static OperatorProblem unconfirmed(String service, String reason) {
        return of(
                504,
                UNCONFIRMED,
                "No confirmation",
                "service " + service + " has not confirmed the request: " + reason,
                "Repeat the request with the same Idempotency-Key; it takes effect once");
    }

    /** Another version of the service, which lacks the operation. */
    static OperatorProblem unsupported(String service, String operation) {
        return of(
                503,
                "unsupported",
                "Not supported by this version",
                "no live replica of service " + service + " knows the operation " + operation,
                "Nothing was done. Repeat the request when a newer version of the service is running");
    }
}
