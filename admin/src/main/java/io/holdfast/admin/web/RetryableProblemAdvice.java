package io.holdfast.admin.web;

import io.holdfast.RetryableException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers 503 with {@code Retry-After} where the same request can succeed later: the committer is busy, the store does not
 * answer, a breaker is open. For all controllers of the application, unless it has advice of its own. What is permanent is a
 * matter of its business, and is left to it.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class RetryableProblemAdvice {

    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(RetryableProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> problem(RetryableException failure) {
        return toResponse(failure);
    }

    static ResponseEntity<ProblemDetail> toResponse(RetryableException failure) {
        log.debug("A request was refused, and can be repeated", failure);
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, failure.getMessage());
        problem.setTitle("Try again later");
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(RETRY_AFTER.toSeconds()))
                .body(problem);
    }
}
