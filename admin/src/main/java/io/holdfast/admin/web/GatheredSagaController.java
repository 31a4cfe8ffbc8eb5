package io.holdfast.admin.web;

import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.saga.MergedSagas;
import io.holdfast.admin.saga.SagaDetails;
import io.holdfast.admin.saga.SagaListing;
import io.holdfast.admin.saga.SagaQuery;
import io.holdfast.view.RowCursor;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** REST endpoint for the sagas of all services. */
@RestController
@RequestMapping("/api/admin/sagas")
final class GatheredSagaController {

    static final Set<String> PARAMETERS =
            new LinkedHashSet<>(List.of("service", "status", "type", "attention", "overdue", "cursor", "limit"));

    private final SagaListing sagas;
    private final Operators operators;

    GatheredSagaController(SagaListing sagas, Operators operators) {
        this.sagas = sagas;
        this.operators = operators;
    }

    /** Declares the parameters for the API description only, as the list of one service does. */
    @GetMapping
    CompletableFuture<ResponseEntity<List<SagaDetails>>> list(
            HttpServletRequest request,
            @RequestParam(name = "service", required = false) @Nullable String service,
            @RequestParam(name = "status", required = false) @Nullable String status,
            @RequestParam(name = "type", required = false) @Nullable String type,
            @RequestParam(name = "attention", required = false) @Nullable String attention,
            @RequestParam(name = "overdue", required = false) @Nullable String overdue,
            @RequestParam(name = "cursor", required = false) @Nullable String cursor,
            @RequestParam(name = "limit", required = false) @Nullable String limit) {
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        SagaQuery query = SagaController.query(parameters);
        Operator operator = operators.of(request);
        ServletUriComponentsBuilder uri = ServletUriComponentsBuilder.fromCurrentRequest();
        return sagas.list(operator, query, parameters.matching("service"))
                .thenApply(found -> response(query, found, uri));
    }

    private static ResponseEntity<List<SagaDetails>> response(
            SagaQuery query, MergedSagas found, ServletUriComponentsBuilder uri) {
        if (query.type() != null && !found.tracked() && found.incomplete().isEmpty()) {
            throw AdminProblem.invalidParameters(
                    List.of("type: no service tracks or runs sagas of type " + query.type()));
        }
        ResponseEntity.BodyBuilder response = GatheredResponse.ok(found.incomplete());
        RowCursor next = found.next();
        if (next != null) {
            response.header(HttpHeaders.LINK, "<" + SagaController.linkTo(uri, next) + ">; rel=\"next\"");
        }
        return response.body(found.sagas());
    }
}
