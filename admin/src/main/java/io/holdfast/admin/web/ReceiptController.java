package io.holdfast.admin.web;

import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.ReceiptFilter;
import io.holdfast.admin.receipt.ReceiptFilter.Cursor;
import io.holdfast.admin.receipt.Receipts;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** REST endpoints for the receipts of all services. */
@RestController
@RequestMapping(ActionResponses.RECEIPTS)
@Tag(name = "Receipts", description = "What became of the actions of operators")
final class ReceiptController {

    static final Set<String> PARAMETERS = new LinkedHashSet<>(
            List.of("limit", "cursor", "operator", "kind", "target", "open", "from", "to", "format"));

    private final Receipts receipts;
    private final ActionRequests requests;

    ReceiptController(Receipts receipts, ActionRequests requests) {
        this.receipts = receipts;
        this.requests = requests;
    }

    /** Declares the parameters for the API description only, as the list of letters does. */
    @GetMapping
    @Operation(summary = "List the receipts of all services, newest first; as JSON, JSON lines or CSV")
    CompletableFuture<ResponseEntity<Object>> list(
            HttpServletRequest request,
            @RequestParam(name = "limit", required = false) @Nullable String limit,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "operator", required = false) @Nullable String operator,
            @RequestParam(name = "kind", required = false) @Nullable String kind,
            @RequestParam(name = "target", required = false) @Nullable String target,
            @RequestParam(name = "open", required = false) @Nullable String open,
            @RequestParam(name = "from", required = false) @Nullable String from,
            @RequestParam(name = "to", required = false) @Nullable String to,
            @RequestParam(name = "format", required = false) @Nullable String format) {
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        ReceiptFormat chosen = parameters.oneOf("format", ReceiptFormat.class);
        ReceiptFilter filter = filter(parameters);
        ServletUriComponentsBuilder link = ServletUriComponentsBuilder.fromRequest(request);
        return receipts.find(filter, requests.operator(request))
                .thenApply(found -> response(found, chosen == null ? ReceiptFormat.JSON : chosen, link));
    }

    private static ReceiptFilter filter(Parameters parameters) {
        ReceiptFilter filter = new ReceiptFilter(
                parameters.text("operator"),
                parameters.text("kind"),
                parameters.text("target"),
                parameters.optionalFlag("open"),
                parameters.time("from"),
                parameters.time("to"),
                parameters.parsed("cursor", ReceiptCursor::decode, "one from a Link header"),
                parameters.number("limit", ReceiptFilter.DEFAULT_LIMIT, 1, ReceiptFilter.MAX_LIMIT));
        parameters.requireValid();
        return filter;
    }

    private static ResponseEntity<Object> response(
            Receipts.Page page, ReceiptFormat format, ServletUriComponentsBuilder link) {
        ResponseEntity.BodyBuilder response = GatheredResponse.ok(page.incomplete());
        Cursor next = page.next();
        if (next != null) {
            String uri =
                    link.replaceQueryParam("cursor", ReceiptCursor.encode(next)).toUriString();
            response.header(HttpHeaders.LINK, "<" + uri + ">; rel=\"next\"");
        }
        return format.respond(response, page.receipts());
    }

    @GetMapping("/{id}")
    @Operation(summary = "Show a receipt with a page of its items")
    CompletableFuture<ResponseEntity<ReceiptDetails>> inspect(
            HttpServletRequest request,
            @PathVariable("id") String id,
            @RequestParam(name = "from", required = false) @Nullable String from) {
        Parameters parameters = new Parameters(request.getParameterMap(), Set.of("from"));
        int first = parameters.number("from", 0, 0, Integer.MAX_VALUE);
        parameters.requireValid();
        return receipts.find(id, first, requests.operator(request))
                .thenApply(found -> GatheredResponse.ok(found.incomplete()).body(found.receipt()));
    }

    @PostMapping("/{id}/stop")
    @Operation(summary = "Stop an action: its open items are not tried")
    CompletableFuture<ReceiptDetails> stop(HttpServletRequest request, @PathVariable("id") String id) {
        return receipts.stop(id, requests.operator(request)).thenApply(Receipts.Found::receipt);
    }
}
