package io.holdfast.admin.web;

import io.holdfast.admin.deadletter.DeadLetterDetails;
import io.holdfast.admin.deadletter.DeadLetterEntry;
import io.holdfast.admin.deadletter.DeadLetterOperations;
import io.holdfast.admin.deadletter.DeadLetterPage;
import io.holdfast.admin.deadletter.DeadLetterQuery;
import io.holdfast.admin.deadletter.ReplayResult;
import io.holdfast.deadletter.SequenceState;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** REST endpoints for the service's own dead letters. */
@RestController
@RequestMapping("/api/admin/dlq")
final class DeadLetterController {

    static final String TOTAL = "X-Total-Count";

    static final Set<String> PARAMETERS = new LinkedHashSet<>(
            List.of("limit", "page", "status", "service", "component", "processor", "eventType", "sagaId"));

    private final DeadLetterOperations operations;

    DeadLetterController(DeadLetterOperations operations) {
        this.operations = operations;
    }

    /**
     * Declares the parameters for the API description only; reads them from the request, to report all errors at once.
     */
    @GetMapping
    ResponseEntity<List<DeadLetterEntry>> list(
            WebRequest request,
            @RequestParam(name = "limit", required = false) @Nullable String limit,
            @RequestParam(name = "page", required = false) @Nullable String page,
            @RequestParam(name = "status", required = false) @Nullable String status,
            @RequestParam(name = "service", required = false) @Nullable String service,
            @RequestParam(name = "component", required = false) @Nullable String component,
            @RequestParam(name = "processor", required = false) @Nullable String processor,
            @RequestParam(name = "eventType", required = false) @Nullable String eventType,
            @RequestParam(name = "sagaId", required = false) @Nullable String sagaId) {
        DeadLetterPage found = operations.find(query(new Parameters(request.getParameterMap(), PARAMETERS)));
        return ResponseEntity.ok().header(TOTAL, Long.toString(found.total())).body(found.entries());
    }

    private static DeadLetterQuery query(Parameters parameters) {
        int limit = parameters.number("limit", DeadLetterQuery.DEFAULT_LIMIT, 1, DeadLetterQuery.MAX_LIMIT);
        int page = parameters.number("page", 0, 0, Integer.MAX_VALUE);
        SequenceState status = parameters.oneOf("status", SequenceState.class);
        parameters.requireValid();
        return new DeadLetterQuery(
                limit,
                page,
                status,
                parameters.text("service"),
                parameters.text("component"),
                parameters.text("processor"),
                parameters.text("eventType"),
                parameters.text("sagaId"));
    }

    @GetMapping("/count")
    Map<String, Long> count() {
        return Map.of("count", operations.count());
    }

    @GetMapping("/{id}")
    DeadLetterDetails inspect(@PathVariable("id") String id) {
        return operations.inspect(id).orElseThrow(() -> AdminProblem.unknownEntry(id));
    }

    @PostMapping("/{id}/replay")
    ResponseEntity<ReplayResponse> replay(@PathVariable("id") String id) {
        ReplayResult result = operations.replay(id, DeadLetterOperations.REQUEST_TIMEOUT);
        if (result.status() == ReplayResult.Status.NOT_FOUND) {
            throw AdminProblem.unknownEntry(id);
        }
        String first = result.first();
        if (first != null) {
            throw AdminProblem.notFirst(id, first);
        }
        boolean isRunning = result.status() == ReplayResult.Status.RUNNING;
        return ResponseEntity.status(isRunning ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(ReplayResponse.of(id, result));
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Map<String, String>> discard(@PathVariable("id") String id) {
        return switch (operations.discard(id)) {
            case DISCARDED -> discarded(HttpStatus.OK, "discarded", id);
            case RUNNING -> discarded(HttpStatus.ACCEPTED, "discarding", id);
            case NOT_TRIED -> discarded(HttpStatus.OK, "not-tried", id);
            case BEING_REPLAYED -> throw AdminProblem.beingReplayed(id);
            case NOT_FOUND -> throw AdminProblem.unknownEntry(id);
        };
    }

    private static ResponseEntity<Map<String, String>> discarded(HttpStatus code, String status, String id) {
        return ResponseEntity.status(code).body(Map.of("status", status, "dlqEntryId", id));
    }
}
