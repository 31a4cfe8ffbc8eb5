package io.holdfast.admin.web;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.UnknownComponentException;
import io.holdfast.admin.UnknownProcessorException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Says what is wrong with a request to the admin API, whatever an application does about its own errors. */
@RestControllerAdvice(assignableTypes = {DeadLetterController.class, FaultController.class})
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AdminProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(AdminProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(AdminProblem problem) {
        return ResponseEntity.status(problem.getStatusCode()).body(problem.getBody());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> retryable(RetryableException failure) {
        return RetryableProblemAdvice.toResponse(failure);
    }

    /** Nothing is wrong with the request, and asking again would not help. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> failed(PermanentException failure) {
        log.error("A request to the admin API could not be carried out", failure);
        return problem(AdminProblem.failed(String.valueOf(failure.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownComponentException unknown) {
        return problem(AdminProblem.invalidParameters(List.of("component: " + unknown.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownProcessorException unknown) {
        return problem(AdminProblem.invalidParameters(List.of("processor: " + unknown.getMessage())));
    }
}
