package io.holdfast.admin.web;

import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.operation.SystemOperation;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.receipt.Submission;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads requests for operations on parts of the system. Thread-safe. */
final class OperationRequests {

    private final ActionRequests requests;

    OperationRequests(ActionRequests requests) {
        this.requests = requests;
    }

    Operator operator(HttpServletRequest request) {
        return requests.operator(request);
    }

    /**
     * Creates the submission of an operation. Its fields become the options of the action, which the owner checks.
     *
     * @param scope the owner, if the request names it
     * @param name of the part
     */
    Submission submission(
            HttpServletRequest request,
            Part part,
            String scope,
            String name,
            String operation,
            @Nullable Map<String, Object> body) {
        SystemOperation found = SystemOperation.find(part, operation).orElseThrow(() -> unknown(part, operation));
        return submission(request, found, scope, name, WriteBody.of(body, found.fields()));
    }

    Submission submission(
            HttpServletRequest request, SystemOperation operation, String scope, String name, WriteBody body) {
        String target = operation.part().target(name);
        return requests.submission(
                request, scope + " " + target, operation.kind().name(), target, options(operation, body), body);
    }

    private static Map<String, String> options(SystemOperation operation, WriteBody body) {
        Map<String, String> options = new TreeMap<>();
        List<String> errors = new ArrayList<>();
        operation.fields().forEach(name -> {
            Object value = body.fields().get(name);
            if (value instanceof String || value instanceof Number) {
                options.put(name, value.toString().strip());
            } else if (value != null) {
                errors.add(name + " must be a text or a number");
            }
        });
        if (!errors.isEmpty()) {
            throw AdminProblem.invalidParameters(errors);
        }
        return options;
    }

    private static OperatorProblem unknown(Part part, String operation) {
        return OperatorProblem.of(
                400,
                "unknown-operation",
                "Unknown operation",
                operation + " is not an operation on a " + part + "; the operations are " + part.operations(),
                "Correct the request");
    }
}
