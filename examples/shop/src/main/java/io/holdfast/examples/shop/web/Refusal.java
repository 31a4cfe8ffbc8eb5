package io.holdfast.examples.shop.web;

import io.holdfast.NonRetryableException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A request that cannot be carried out as it is; nothing was stored. The caller reads the message as a problem detail. */
public final class Refusal extends ErrorResponseException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    private Refusal(HttpStatus status, String message) {
        super(status, ProblemDetail.forStatusAndDetail(status, message), null);
    }

    public static Refusal badRequest(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST, message);
    }

    public static Refusal notFound(String message) {
        return new Refusal(HttpStatus.NOT_FOUND, message);
    }

    public static Refusal conflict(String message) {
        return new Refusal(HttpStatus.CONFLICT, message);
    }

    /** What is asked for can be read, but not done. */
    public static Refusal unprocessable(String message) {
        return new Refusal(HttpStatus.UNPROCESSABLE_CONTENT, message);
    }
}
