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
 * Responds with 503 and {@code Retry-After} if the same request can succeed later: the committer is busy, the store
 * does not respond, a breaker is open, or only another version of the service can decide. Applies to all controllers of
 * the application, unless it has its own advice. Permanent failures are business errors and remain the application's
 * responsibility.
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
        log.debug("Rejected a request that can be repeated", failure);
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, failure.getMessage());
        problem.setTitle("Temporarily unavailable, retry later");
        return retryLater(ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)).body(problem);
    }

    static ResponseEntity.BodyBuilder retryLater(ResponseEntity.BodyBuilder response) {
        return response.header(HttpHeaders.RETRY_AFTER, Long.toString(RETRY_AFTER.toSeconds()));
    }
}
