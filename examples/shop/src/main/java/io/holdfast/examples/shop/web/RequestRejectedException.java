package io.holdfast.examples.shop.web;

import io.holdfast.NonRetryableException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** A rejected request. Nothing was stored. The message becomes the problem detail of the response. */
public final class RequestRejectedException extends ErrorResponseException implements NonRetryableException {

    private static final long serialVersionUID = 1L;

    private RequestRejectedException(HttpStatus status, String message) {
        super(status, ProblemDetail.forStatusAndDetail(status, message), null);
    }

    public static RequestRejectedException badRequest(String message) {
        return new RequestRejectedException(HttpStatus.BAD_REQUEST, message);
    }

    public static RequestRejectedException notFound(String message) {
        return new RequestRejectedException(HttpStatus.NOT_FOUND, message);
    }

    public static RequestRejectedException conflict(String message) {
        return new RequestRejectedException(HttpStatus.CONFLICT, message);
    }

    /** The request is well-formed, but cannot be carried out. */
    public static RequestRejectedException unprocessable(String message) {
        return new RequestRejectedException(HttpStatus.UNPROCESSABLE_CONTENT, message);
    }
}
