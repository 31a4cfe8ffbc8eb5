package io.holdfast.admin.web;

import io.holdfast.admin.UnknownComponentException;
import java.util.List;
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

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(AdminProblem problem) {
        return ResponseEntity.status(problem.getStatusCode()).body(problem.getBody());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> unknown(UnknownComponentException unknown) {
        return problem(AdminProblem.wrongParameters(List.of("component: " + unknown.getMessage())));
    }
}
