package io.holdfast.admin.web;

import io.holdfast.admin.FaultOperations;
import io.holdfast.admin.InjectedFault;
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

/** Lets components fail on purpose, in services that allow it. */
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
     * What fails on purpose, and what could.
     *
     * @param enabled whether anything does
     * @param components the ids of all
     */
    record Faults(boolean enabled, List<InjectedFault> faults, List<String> components) {}

    @GetMapping
    Faults faults() {
        FaultOperations allowed = requireOperations();
        List<InjectedFault> faults = allowed.faults();
        return new Faults(!faults.isEmpty(), faults, allowed.components());
    }

    /** As in the list of letters, the parameters are named for the API's page. */
    @PostMapping
    Faults change(
            WebRequest request,
            @RequestParam(name = "enabled", required = false) @Nullable String enabled,
            @RequestParam(name = "failureMessage", required = false) @Nullable String failureMessage,
            @RequestParam(name = "component", required = false) @Nullable String component,
            @RequestParam(name = "retryable", required = false) @Nullable String retryable) {
        FaultOperations allowed = requireOperations();
        Parameters parameters = new Parameters(request.getParameterMap(), PARAMETERS);
        boolean isEnabled = parameters.flag("enabled", null);
        boolean isRetryable = parameters.flag("retryable", false);
        String message = Objects.requireNonNullElse(parameters.text("failureMessage"), DEFAULT_MESSAGE);
        parameters.requireValid();
        if (isEnabled) {
            allowed.inject(parameters.text("component"), message, isRetryable);
        } else {
            allowed.remove(parameters.text("component"));
        }
        return faults();
    }

    private FaultOperations requireOperations() {
        return operations.orElseThrow(AdminProblem::faultInjectionDisabled);
    }
}
