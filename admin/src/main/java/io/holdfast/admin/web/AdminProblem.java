package io.holdfast.admin.web;

import io.holdfast.admin.gateway.OperatorProblem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A failed request, reported as a problem detail (RFC 9457). */
final class AdminProblem extends ErrorResponseException {

    private AdminProblem(HttpStatus status, ProblemDetail problem) {
        super(status, problem, null);
    }

    private static AdminProblem of(HttpStatus status, String title, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        return new AdminProblem(status, problem);
    }

    /** Returns the body that reports a problem of the owner or gateway; null properties are left out. */
    static ProblemDetail of(OperatorProblem.Problem problem) {
        ProblemDetail body = ProblemDetail.forStatus(problem.status());
        body.setTitle(problem.title());
        body.setDetail(problem.detail());
        body.setProperty("code", problem.code());
        setIfPresent(body, "action", problem.action());
        setIfPresent(body, "receiptId", problem.receiptId());
        return body;
    }

    private static void setIfPresent(ProblemDetail body, String name, @Nullable String value) {
        if (value != null) {
            body.setProperty(name, value);
        }
    }

    /** Reports all invalid parameters at once. */
    static AdminProblem invalidParameters(List<String> errors) {
        AdminProblem problem = of(HttpStatus.BAD_REQUEST, "Invalid parameters", String.join("; ", errors));
        problem.getBody().setProperty("errors", errors);
        return problem;
    }

    static AdminProblem unknownEntry(String id) {
        return of(
                HttpStatus.NOT_FOUND,
                "Entry not found",
                "no letter with the id " + id + " is parked in this service: it was handled or discarded, or it never"
                        + " existed; GET /api/admin/dlq lists the parked letters");
    }

    static AdminProblem notFirst(String id, String first) {
        AdminProblem problem = of(
                HttpStatus.CONFLICT,
                "Not the first letter of its sequence",
                "entry " + id + " waits behind entry " + first + ", which must be replayed or discarded first");
        problem.getBody().setProperty("firstDlqEntryId", first);
        return problem;
    }

    static AdminProblem beingReplayed(String id) {
        return of(
                HttpStatus.CONFLICT,
                "Replay in progress",
                "the sequence of entry " + id + " is being replayed; wait for the outcome, then discard what is still"
                        + " parked");
    }

    static AdminProblem unknownSaga(String id) {
        return of(
                HttpStatus.NOT_FOUND,
                "Saga not found",
                "this service tracks no saga with the id " + id + ": another service tracks it, it ended before the"
                        + " retention time, or it never existed; GET /api/sagas lists the sagas");
    }

    static AdminProblem unknownSagaType(String type) {
        return of(
                HttpStatus.NOT_FOUND,
                "Saga type not found",
                "this service declares no saga type " + type + "; GET /api/sagas/types lists the types");
    }

    static AdminProblem failed(String reason) {
        return of(HttpStatus.INTERNAL_SERVER_ERROR, "Operation failed", reason);
    }

    static AdminProblem faultInjectionDisabled() {
        return of(
                HttpStatus.NOT_FOUND,
                "Fault injection is disabled",
                "faults can only be injected into a service that was started with"
                        + " framework.fault-injection.enabled=true");
    }
}
