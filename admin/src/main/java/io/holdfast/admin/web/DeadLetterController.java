package io.holdfast.admin.web;

import io.holdfast.admin.deadletter.CauseGroupDetails;
import io.holdfast.admin.deadletter.DeadLetterEntry;
import io.holdfast.admin.deadletter.DeadLetterPage;
import io.holdfast.admin.deadletter.DeadLetterQuery;
import io.holdfast.admin.deadletter.DeadLetters;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.deadletter.CauseGroup;
import io.holdfast.deadletter.entry.EntryStatus;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;
import tools.jackson.databind.JsonNode;

/** REST endpoints for the dead letters of all services. No request occupies a thread while it waits. */
@RestController
@RequestMapping("/api/admin/dlq")
@Tag(name = "Dead Letter Queue", description = "Find, understand and repair the dead letters of all services")
final class DeadLetterController {

    static final String TOTAL = "X-Total-Count";
    static final String TOTAL_RELATION = "X-Total-Relation";
    static final String AT_LEAST = "at-least";
    static final String SEARCHED_UNTIL = "X-Searched-Until";

    static final Set<String> PARAMETERS = new LinkedHashSet<>(List.of(
            "limit",
            "page",
            "cursor",
            "status",
            "service",
            "processor",
            "component",
            "eventType",
            "causeType",
            "group",
            "from",
            "to",
            "sagaId",
            "correlationId",
            "eventId",
            "key",
            "text"));

    private static final Set<String> DISCARD_PARAMETERS = new LinkedHashSet<>(List.of("reason", "force"));

    private final DeadLetters letters;
    private final ActionRequests requests;

    DeadLetterController(DeadLetters letters, ActionRequests requests) {
        this.letters = letters;
        this.requests = requests;
    }

    /**
     * Declares the parameters for the API description only; reads them from the request, to report all errors at once.
     */
    @GetMapping
    @Operation(summary = "List entries of all services, newest first; PENDING ones unless a status is given")
    CompletableFuture<ResponseEntity<List<DeadLetterEntry>>> list(
            HttpServletRequest request,
            @RequestParam(name = "limit", required = false) @Nullable String limit,
            @RequestParam(name = "page", required = false) @Nullable String page,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "status", required = false) @Nullable String status,
            @RequestParam(name = "service", required = false) @Nullable String service,
            @RequestParam(name = "processor", required = false) @Nullable String processor,
            @RequestParam(name = "component", required = false) @Nullable String component,
            @RequestParam(name = "eventType", required = false) @Nullable String eventType,
            @RequestParam(name = "causeType", required = false) @Nullable String causeType,
            @RequestParam(name = "group", required = false) @Nullable String group,
            @RequestParam(name = "from", required = false) @Nullable String from,
            @RequestParam(name = "to", required = false) @Nullable String to,
            @RequestParam(name = "sagaId", required = false) @Nullable String sagaId,
            @RequestParam(name = "correlationId", required = false) @Nullable String correlationId,
            @RequestParam(name = "eventId", required = false) @Nullable String eventId,
            @RequestParam(name = "key", required = false) @Nullable String key,
            @RequestParam(name = "text", required = false) @Nullable String text) {
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        int size = parameters.number("limit", DeadLetterQuery.DEFAULT_LIMIT, 1, DeadLetterQuery.MAX_LIMIT);
        int number = parameters.number("page", 0, 0, DeadLetters.MAX_PAGED_ENTRIES / size - 1);
        DeadLetterQuery query = query(parameters, size);
        ServletUriComponentsBuilder link = ServletUriComponentsBuilder.fromRequest(request);
        return letters.find(query, number, requests.operator(request)).thenApply(found -> response(found, link));
    }

    private static DeadLetterQuery query(Parameters parameters, int limit) {
        DeadLetterQuery query = new DeadLetterQuery(
                limit,
                parameters.parsed("cursor", DeadLetterCursor::decode, "one from a Link header"),
                parameters.severalOf("status", EntryStatus.class),
                parameters.text("service"),
                parameters.text("processor"),
                parameters.text("component"),
                parameters.text("eventType"),
                parameters.text("causeType"),
                parameters.text("group"),
                parameters.time("from"),
                parameters.time("to"),
                parameters.text("sagaId"),
                parameters.text("correlationId"),
                parameters.uuid("eventId"),
                parameters.text("key"),
                parameters.text("text"));
        parameters.requireValid();
        return query;
    }

    private static ResponseEntity<List<DeadLetterEntry>> response(
            DeadLetterPage page, ServletUriComponentsBuilder link) {
        ResponseEntity.BodyBuilder response =
                GatheredResponse.ok(page.incomplete()).header(TOTAL, Long.toString(page.total()));
        if (page.isAtLeast()) {
            response.header(TOTAL_RELATION, AT_LEAST);
        }
        Instant searchedUntil = page.searchedUntil();
        if (searchedUntil != null) {
            response.header(SEARCHED_UNTIL, searchedUntil.toString());
        }
        if (page.next() != null) {
            String next = link.replaceQueryParam("page")
                    .replaceQueryParam("cursor", DeadLetterCursor.encode(page.next()))
                    .toUriString();
            response.header(HttpHeaders.LINK, "<" + next + ">; rel=\"next\"");
        }
        return response.body(page.entries());
    }

    @GetMapping("/count")
    @Operation(summary = "Count the PENDING letters of all services")
    CompletableFuture<DeadLetters.Count> count(HttpServletRequest request) {
        return letters.count(requests.operator(request));
    }

    @GetMapping("/{id}")
    @Operation(summary = "Inspect an entry: payload, cause, attempts, neighbours, receipts")
    CompletableFuture<ResponseEntity<JsonNode>> inspect(HttpServletRequest request, @PathVariable("id") String id) {
        return letters.inspect(id, requests.operator(request)).thenApply(DeadLetterController::withTag);
    }

    private static ResponseEntity<JsonNode> withTag(JsonNode entry) {
        String version = entry.path("version").asString("");
        return version.isEmpty()
                ? ResponseEntity.ok(entry)
                : ResponseEntity.ok().eTag(version).body(entry);
    }

    @PostMapping("/{id}/replay")
    @Operation(summary = "Replay a letter at its owner, and wait for the outcome")
    CompletableFuture<ResponseEntity<Object>> replay(
            HttpServletRequest request,
            @PathVariable("id") String id,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return submit(request, "REPLAY", id, Map.of(), WriteBody.of(body, Set.of()));
    }

    @DeleteMapping("/{id}")
    @Operation(summary = "Discard a letter without effect")
    CompletableFuture<ResponseEntity<Object>> discard(
            HttpServletRequest request,
            @PathVariable("id") String id,
            @RequestParam(name = "reason", required = false) @Nullable String reason,
            @RequestParam(name = "force", required = false) @Nullable String force) {
        Parameters parameters = new Parameters(request.getParameterMap(), DISCARD_PARAMETERS);
        boolean isForced = parameters.flag("force", false);
        parameters.requireValid();
        return submit(request, "DISCARD", id, Map.of(), new WriteBody(parameters.text("reason"), isForced, Map.of()));
    }

    @PostMapping("/{id}/restore")
    @Operation(summary = "Park a discarded letter again, as the first one of its sequence")
    CompletableFuture<ResponseEntity<Object>> restore(
            HttpServletRequest request,
            @PathVariable("id") String id,
            @RequestBody(required = false) @Nullable Map<String, Object> body) {
        return submit(request, "RESTORE", id, Map.of(), WriteBody.of(body, Set.of()));
    }

    /** @param body a text, because numbers of the payload must stay exactly as they are written */
    @PostMapping(path = "/{id}/edit", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Replace the payload of a letter, and optionally replay it")
    CompletableFuture<ResponseEntity<Object>> edit(
            HttpServletRequest request, @PathVariable("id") String id, @RequestBody String body) {
        EditRequest edit = EditRequest.of(body, request.getHeader(HttpHeaders.IF_MATCH));
        return submit(request, "EDIT", id, edit.options(), new WriteBody(edit.reason(), false, Map.of()));
    }

    private CompletableFuture<ResponseEntity<Object>> submit(
            HttpServletRequest request, String kind, String id, Map<String, String> options, WriteBody body) {
        Submission submission = requests.submission(request, id, kind, id, options, body);
        return letters.submit(submission, requests.operator(request)).thenApply(ActionResponses::of);
    }

    @GetMapping("/groups")
    @Operation(summary = "Group entries by cause, the group with the newest failure first")
    CompletableFuture<ResponseEntity<List<CauseGroupDetails>>> groups(HttpServletRequest request) {
        return letters.groups(requests.operator(request))
                .thenApply(found -> GatheredResponse.ok(found.incomplete()).body(found.groups()));
    }

    /** The note that operators attach to a group of causes. */
    record Note(@Nullable String note) {}

    @PutMapping("/groups/{group}/note")
    @Operation(summary = "Attach a note to a cause group")
    CompletableFuture<CauseGroupDetails> note(
            HttpServletRequest request, @PathVariable("group") String group, @RequestBody Note note) {
        ActionRequests.requireStorable("note", note.note(), CauseGroup.MAX_NOTE);
        return letters.note(group, note.note(), requests.operator(request));
    }
}
