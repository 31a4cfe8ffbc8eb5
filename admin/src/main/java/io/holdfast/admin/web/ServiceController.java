package io.holdfast.admin.web;

import io.holdfast.admin.directory.ServiceDetails;
import io.holdfast.admin.directory.ServiceDirectory;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** REST endpoints for the service directory. */
@RestController
@RequestMapping("/api/admin/services")
final class ServiceController {

    private final ServiceDirectory directory;
    private final Operators operators;

    ServiceController(ServiceDirectory directory, Operators operators) {
        this.directory = directory;
        this.operators = operators;
    }

    /** Returns what this service knows; asks no other one. */
    @GetMapping
    List<ServiceDetails> list() {
        return directory.all();
    }

    /** Forgets a silent service everywhere. The header names the services that may still know it. */
    @DeleteMapping("/{name}")
    CompletableFuture<ResponseEntity<Map<String, String>>> forget(
            HttpServletRequest request, @PathVariable("name") String name) {
        return directory.forget(name, operators.of(request)).thenApply(incomplete -> GatheredResponse.ok(incomplete)
                .body(Map.of("status", "forgotten", "service", name)));
    }
}
