package io.holdfast.admin.web;

import io.holdfast.admin.breaker.BreakerDetails;
import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.outbox.OutboxDetails;
import io.holdfast.admin.outbox.OutboxListing;
import io.holdfast.admin.processor.ProcessorDetails;
import io.holdfast.admin.processor.ProcessorListing;
import io.holdfast.admin.stream.GroupDetails;
import io.holdfast.admin.stream.StreamDetails;
import io.holdfast.admin.stream.StreamListing;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the state of all services. Each list has one optional filter, the service. */
@RestController
@RequestMapping("/api/admin")
final class SystemController {

    static final Set<String> PARAMETERS = Set.of("service");

    private final ProcessorListing processors;
    private final StreamListing streams;
    private final OutboxListing outboxes;
    private final BreakerListing breakers;
    private final Operators operators;

    SystemController(
            ProcessorListing processors,
            StreamListing streams,
            OutboxListing outboxes,
            BreakerListing breakers,
            Operators operators) {
        this.processors = processors;
        this.streams = streams;
        this.outboxes = outboxes;
        this.breakers = breakers;
        this.operators = operators;
    }

    @GetMapping("/processors")
    CompletableFuture<ResponseEntity<List<ProcessorDetails>>> processors(
            HttpServletRequest request, @RequestParam(name = "service", required = false) @Nullable String service) {
        return list(request, processors::list);
    }

    @GetMapping("/streams")
    CompletableFuture<ResponseEntity<List<StreamDetails>>> streams(
            HttpServletRequest request, @RequestParam(name = "service", required = false) @Nullable String service) {
        return list(request, streams::streams);
    }

    @GetMapping("/groups")
    CompletableFuture<ResponseEntity<List<GroupDetails>>> groups(
            HttpServletRequest request, @RequestParam(name = "service", required = false) @Nullable String service) {
        return list(request, streams::groups);
    }

    @GetMapping("/outbox")
    CompletableFuture<ResponseEntity<List<OutboxDetails>>> outbox(
            HttpServletRequest request, @RequestParam(name = "service", required = false) @Nullable String service) {
        return list(request, outboxes::list);
    }

    @GetMapping("/breakers")
    CompletableFuture<ResponseEntity<List<BreakerDetails>>> breakers(
            HttpServletRequest request, @RequestParam(name = "service", required = false) @Nullable String service) {
        return list(request, breakers::list);
    }

    private <E> CompletableFuture<ResponseEntity<List<E>>> list(
            HttpServletRequest request,
            BiFunction<Operator, Predicate<String>, CompletableFuture<GatheredList<E>>> listing) {
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        parameters.requireValid();
        return listing.apply(operators.of(request), parameters.matching("service"))
                .thenApply(GatheredResponse::list);
    }
}
