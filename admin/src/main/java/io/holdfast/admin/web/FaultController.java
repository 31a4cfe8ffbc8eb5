package io.holdfast.admin.web;

import io.holdfast.admin.fault.FaultOperations;
import io.holdfast.admin.fault.InjectedFault;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** REST endpoints for fault injection, in services that enable it. */
@RestController
@RequestMapping("/api/admin/fault")
final class FaultController {

    static final String DEFAULT_MESSAGE = "a fault was injected";

    static final Set<String> PARAMETERS =
            new LinkedHashSet<>(List.of("enabled", "failureMessage", "component", "retryable"));

    private final Optional<FaultOperations> operations;

    FaultController(Optional<FaultOperations> operations) {
        this.operations = operations;
    }

    /**
     * The injected faults, and the components that faults can be injected into.
     *
     * @param enabled whether any fault is injected
     * @param components the ids of all components
     */
    record Faults(boolean enabled, List<InjectedFault> faults, List<String> components) {}

    @GetMapping
    Faults faults() {
        FaultOperations available = requireOperations();
        List<InjectedFault> faults = available.faults();
        return new Faults(!faults.isEmpty(), faults, available.components());
    }

    /** Declares the parameters for the API description only, as the list of letters does. */
    @PostMapping
    Faults change(
            WebRequest request,
            @RequestParam(name = "enabled", required = false) @Nullable String enabled,
            @RequestParam(name = "failureMessage", required = false) @Nullable String failureMessage,
            @RequestParam(name = "component", required = false) @Nullable String component,
            @RequestParam(name = "retryable", required = false) @Nullable String retryable) {
        FaultOperations available = requireOperations();
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        boolean isEnabled = parameters.flag("enabled", null);
        boolean isRetryable = parameters.flag("retryable", false);
        String message = Objects.requireNonNullElse(parameters.text("failureMessage"), DEFAULT_MESSAGE);
        parameters.requireValid();
        if (isEnabled) {
            available.inject(parameters.text("component"), message, isRetryable);
        } else {
            available.remove(parameters.text("component"));
        }
        return faults();
    }

    private FaultOperations requireOperations() {
        return operations.orElseThrow(AdminProblem::faultInjectionDisabled);
    }
}
