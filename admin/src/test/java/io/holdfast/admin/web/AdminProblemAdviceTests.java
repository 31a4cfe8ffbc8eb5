package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.PermanentException;
import io.holdfast.RetryableException;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.OperatorProblem.Problem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** An application's catch-all exception handler does not apply to the admin API. */
class AdminProblemAdviceTests {

    @Test
    void respondsWithRetryAfterToRetryableFailures() {
        MvcTestResult response = ask(new RetryableException("the database does not respond"));

        assertThat(response).hasStatus(503);
        assertThat(response).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(response).hasHeader(HttpHeaders.RETRY_AFTER, "1");
        assertThat(response).bodyText().contains("the database does not respond");
    }

    @Test
    void reportsTheReasonOfPermanentFailures() {
        MvcTestResult response = ask(new PermanentException("a table is missing"));

        assertThat(response).hasStatus(500);
        assertThat(response).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(response).bodyText().contains("a table is missing");
    }

    @Test
    void passesTheProblemOfAnOwnerOn() {
        MvcTestResult response = ask(new OperatorProblem(
                new Problem(409, "in-progress", "In progress", "ben replays entry 7", "Wait for it", "0199")));

        assertThat(response).hasStatus(409).hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(response).doesNotContainHeader(HttpHeaders.RETRY_AFTER);
        assertThat(response)
                .bodyJson()
                .isStrictlyEqualTo(
                        """
                        {"status": 409, "title": "In progress", "detail": "ben replays entry 7", "instance": "/ask",
                        "code": "in-progress", "action": "Wait for it", "receiptId": "0199"}
                        """);
    }

    @Test
    void respondsWithRetryAfterIfTheOwnerIsUnavailable() {
        MvcTestResult response =
                ask(OperatorProblem.of(503, "owner-unavailable", "Owner unavailable", "stock is down", null));

        assertThat(response).hasStatus(503).hasHeader(HttpHeaders.RETRY_AFTER, "1");
        assertThat(response)
                .bodyJson()
                .isStrictlyEqualTo(
                        """
                        {"status": 503, "title": "Owner unavailable", "detail": "stock is down", "instance": "/ask",
                        "code": "owner-unavailable"}
                        """);
    }

    /** The gateway's futures fail with a CompletionException. */
    private static MvcTestResult ask(RuntimeException problem) {
        return exchange(
                new AskController(CompletableFuture.supplyAsync(() -> {
                    throw problem;
                })),
                "/ask");
    }

    /** A controller that this test adds to the package, as the advice needs to know no controller by name. */
    @RestController
    record AskController(CompletableFuture<String> answer) {

        @GetMapping("/ask")
        CompletableFuture<String> ask() {
            return answer;
        }
    }

    private static MvcTestResult exchange(Object controller, String path) {
        return MockMvcTester.of(List.of(controller), builder -> builder.setControllerAdvice(
                                new UserAdvice(), new RetryableProblemAdvice(), new AdminProblemAdvice())
                        .build())
                .get()
                .uri(path)
                .exchange();
    }

    /** A catch-all, as many applications have. */
    @RestControllerAdvice
    static class UserAdvice {

        @ExceptionHandler
        ResponseEntity<String> everything(Exception thrown) {
            return ResponseEntity.internalServerError().body("oops");
        }
    }
}
