package io.holdfast.admin.web;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.component.UnknownComponentException;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.saga.UnknownSagaTypeException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Reports errors of the controllers of this package as problem details, independent of the application's own exception
 * handlers.
 */
@RestControllerAdvice(basePackageClasses = AdminProblemAdvice.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AdminProblemAdvice {

    private static final Logger log = LoggerFactory.getLogger(AdminProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(AdminProblem problem) {
        return ResponseEntity.status(problem.getStatusCode()).body(problem.getBody());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unreadable(HttpMessageNotReadableException unreadable) {
        return problem(AdminProblem.invalidParameters(List.of("the body is missing or not valid JSON")));
    }

    /** A service refused the request, or did not reply. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(OperatorProblem problem) {
        ProblemDetail body = AdminProblem.of(problem.problem());
        ResponseEntity.BodyBuilder response = ResponseEntity.status(body.getStatus());
        return body.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()
                ? RetryableProblemAdvice.retryLater(response).body(body)
                : response.body(body);
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> retryable(RetryableException failure) {
        return RetryableProblemAdvice.toResponse(failure);
    }

    /** The request is valid, but repeating it would fail again. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> failed(PermanentException failure) {
        log.error("A request to the admin API failed", failure);
        return problem(AdminProblem.failed(String.valueOf(failure.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownComponentException unknown) {
        return problem(AdminProblem.invalidParameters(List.of("component: " + unknown.getMessage())));
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownSagaTypeException unknown) {
        return problem(AdminProblem.invalidParameters(List.of("type: " + unknown.getMessage())));
    }
}
