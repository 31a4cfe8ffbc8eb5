package io.holdfast.admin.web;

import io.holdfast.admin.saga.SagaDetails;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.admin.saga.SagaPage;
import io.holdfast.admin.saga.SagaQuery;
import io.holdfast.admin.saga.SagaTypeDetails;
import io.holdfast.saga.SagaStatus;
import io.holdfast.view.RowCursor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** REST endpoints for the sagas that the service tracks. */
@RestController
@RequestMapping("/api/sagas")
final class SagaController {

    static final Set<String> PARAMETERS =
            new LinkedHashSet<>(List.of("status", "type", "attention", "overdue", "cursor", "limit"));

    /** Mermaid has no registered media type. Browsers show plain text. */
    private static final String MERMAID = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8";

    private final SagaOperations operations;

    SagaController(SagaOperations operations) {
        this.operations = operations;
    }

    /**
     * Declares the parameters for the API description only; reads them from the request, to report all errors at once.
     */
    @GetMapping
    ResponseEntity<List<SagaDetails>> list(
            WebRequest request,
            @RequestParam(name = "status", required = false) @Nullable String status,
            @RequestParam(name = "type", required = false) @Nullable String type,
            @RequestParam(name = "attention", required = false) @Nullable String attention,
            @RequestParam(name = "overdue", required = false) @Nullable String overdue,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        SagaPage found = operations.find(query(new Parameters(request.getParameterMap(), PARAMETERS)));
        ResponseEntity.BodyBuilder response = ResponseEntity.ok();
        RowCursor next = found.next();
        if (next != null) {
            response.header(HttpHeaders.LINK, "<" + linkTo(next) + ">; rel=\"next\"");
        }
        return response.body(found.sagas());
    }

    static SagaQuery query(Parameters parameters) {
        SagaStatus status = parameters.oneOf("status", SagaStatus.class);
        Boolean attention = parameters.optionalFlag("attention");
        Boolean overdue = parameters.optionalFlag("overdue");
        int limit = parameters.number("limit", SagaQuery.DEFAULT_LIMIT, 1, SagaQuery.MAX_LIMIT);
        RowCursor after = parameters.parsed("cursor", SagaCursor::decode, "one from a Link header");
        parameters.requireValid();
        return new SagaQuery(parameters.text("type"), status, attention, overdue, after, limit);
    }

    private static String linkTo(RowCursor next) {
        return linkTo(ServletUriComponentsBuilder.fromCurrentRequest(), next);
    }

    static String linkTo(ServletUriComponentsBuilder request, RowCursor next) {
        return request.replaceQueryParam("cursor", SagaCursor.encode(next)).toUriString();
    }

    @GetMapping("/{id}")
    SagaDetails inspect(@PathVariable("id") String id) {
        return operations.inspect(id).orElseThrow(() -> AdminProblem.unknownSaga(id));
    }

    @GetMapping("/types")
    List<SagaTypeDetails> types() {
        return operations.types();
    }

    @GetMapping(path = "/{id}/diagram", produces = MERMAID)
    String diagram(@PathVariable("id") String id) {
        return operations.diagram(id).orElseThrow(() -> AdminProblem.unknownSaga(id));
    }

    @GetMapping(path = "/types/{type}/diagram", produces = MERMAID)
    String typeDiagram(@PathVariable("type") String type) {
        return operations.typeDiagram(type).orElseThrow(() -> AdminProblem.unknownSagaType(type));
    }
}
