package io.holdfast.admin.web;

import io.holdfast.admin.operation.SystemOperation;
import io.holdfast.admin.operation.SystemOperation.Part;
import io.holdfast.admin.operation.SystemOperations;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints that change parts of the system. All of them are actions with receipts. */
@RestController
@Tag(name = "Operations", description = "Operate processors, sagas, consumer groups, outboxes and breakers")
final class SystemOperationController {

    static final Set<String> DELETE_PARAMETERS = new LinkedHashSet<>(List.of("service", "reason", "force"));

    private final SystemOperations operations;
    private final OperationRequests requests;

    SystemOperationController(SystemOperations operations, ActionRequests requests) {
        this.operations = operations;
        this.requests = new OperationRequests(requests);
    }

    @PostMapping("/api/admin/processors/{service}/{name}/{operation}")
    @Operation(summary = "Pause, resume or reset a processor, change its segments, or accept a restored source")
    CompletableFuture<ResponseEntity<Object>> processor(
            HttpServletRequest request,
            @PathVariable("service") String service,
            @PathVariable("name") String name,
            @PathVariable("operation") String operation,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return operations
                .submit(
                        service,
                        requests.submission(request, Part.PROCESSOR, service, name, operation, body),
                        requests.operator(request))
                .thenApply(ActionResponses::of);
    }

    @PostMapping("/api/admin/breakers/{service}/{name}/{operation}")
    @Operation(summary = "Open or close a circuit breaker on all live replicas of a service")
    CompletableFuture<ResponseEntity<Object>> breaker(
            HttpServletRequest request,
            @PathVariable("service") String service,
            @PathVariable("name") String name,
            @PathVariable("operation") String operation,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return operations
                .submit(
                        service,
                        requests.submission(request, Part.BREAKER, service, name, operation, body),
                        requests.operator(request))
                .thenApply(ActionResponses::receipt);
    }

    @PostMapping("/api/admin/outbox/{service}/{operation}")
    @Operation(summary = "Publish now what the outbox of a service has failed to publish")
    CompletableFuture<ResponseEntity<Object>> outbox(
            HttpServletRequest request,
            @PathVariable("service") String service,
            @PathVariable("operation") String operation,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return operations
                .submit(
                        service,
                        requests.submission(request, Part.OUTBOX, service, service, operation, body),
                        requests.operator(request))
                .thenApply(ActionResponses::of);
    }

    /** Names of groups contain slashes. */
    @DeleteMapping("/api/admin/groups/{*name}")
    @Operation(summary = "Remove a consumer group, so that events that it has not read can be removed")
    CompletableFuture<ResponseEntity<Object>> deleteGroup(
            HttpServletRequest request,
            @PathVariable("name") String path,
            @RequestParam(name = "service", required = false) @Nullable String service,
            @RequestParam(name = "reason", required = false) @Nullable String reason,
            @RequestParam(name = "force", required = false) @Nullable String force) {
        Parameters parameters = new Parameters(request.getParameterMap(), DELETE_PARAMETERS);
        WriteBody body = new WriteBody(parameters.text("reason"), parameters.flag("force", false), Map.of());
        parameters.requireValid();
        String name = path.substring(1);
        String scope = parameters.text("service") == null ? "" : String.valueOf(parameters.text("service"));
        return operations
                .submitToSource(
                        name,
                        parameters.matching("service"),
                        requests.submission(request, SystemOperation.DELETE_GROUP, scope, name, body),
                        requests.operator(request))
                .thenApply(ActionResponses::of);
    }

    @PostMapping("/api/sagas/{id}/{operation}")
    @Operation(summary = "Retry or skip a step of a saga, compensate it, or give its compensation up")
    CompletableFuture<ResponseEntity<Object>> saga(
            HttpServletRequest request,
            @PathVariable("id") String id,
            @PathVariable("operation") String operation,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return operations
                .submitToTracker(
                        id,
                        requests.submission(request, Part.SAGA, "", id, operation, body),
                        requests.operator(request))
                .thenApply(ActionResponses::of);
    }
}
