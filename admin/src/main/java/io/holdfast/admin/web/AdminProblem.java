package io.holdfast.admin.web;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A request that is answered with a problem detail. */
final class AdminProblem extends ErrorResponseException {

    private AdminProblem(HttpStatus status, ProblemDetail problem) {
        super(status, problem, null);
    }

    private static AdminProblem of(HttpStatus status, String title, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setTitle(title);
        return new AdminProblem(status, problem);
    }

    /** All that is wrong with the parameters, at once. */
    static AdminProblem invalidParameters(List<String> errors) {
        AdminProblem problem = of(HttpStatus.BAD_REQUEST, "Wrong parameters", String.join("; ", errors));
        problem.getBody().setProperty("errors", errors);
        return problem;
    }

    static AdminProblem unknownEntry(String id) {
        return of(
                HttpStatus.NOT_FOUND,
                "No such entry",
                "no letter with the id " + id + " is parked in this service: it was handled or discarded, or never was;"
                        + " GET /api/admin/dlq lists what there is");
    }

    static AdminProblem notFirst(String id, String first) {
        AdminProblem problem = of(
                HttpStatus.CONFLICT,
                "Not the first of its sequence",
                "entry " + id + " waits behind " + first + ", which must be replayed or discarded before");
        problem.getBody().setProperty("firstDlqEntryId", first);
        return problem;
    }

    static AdminProblem beingReplayed(String id) {
        return of(
                HttpStatus.CONFLICT,
                "Being replayed",
                "the sequence of entry " + id + " is being replayed; look what comes of it, then discard what is left");
    }

    static AdminProblem failed(String why) {
        return of(HttpStatus.INTERNAL_SERVER_ERROR, "Could not be carried out", why);
    }

    static AdminProblem faultInjectionDisabled() {
        return of(
                HttpStatus.NOT_FOUND,
                "Fault injection is off",
                "faults can be injected only into a service that is started with framework.fault-injection.enabled=true");
    }
}
