package io.holdfast.examples.shop.web;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Responds to invalid requests with a problem detail (RFC 9457) that names each invalid field. */
@RestControllerAdvice
public class Problems extends ResponseEntityExceptionHandler {

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        return reject(unreadable, UnreadableJson.describe(unreadable), headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return reject(invalid, fields(invalid.getAllErrors()), headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String found = invalid.getParameterValidationResults().stream()
                .map(Problems::describe)
                .sorted()
                .collect(Collectors.joining("; "));
        return reject(invalid, found, headers, status, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = mismatch instanceof MethodArgumentTypeMismatchException argument
                ? argument.getName()
                : String.valueOf(mismatch.getPropertyName());
        Class<?> wanted = mismatch.getRequiredType() == null ? String.class : mismatch.getRequiredType();
        return reject(mismatch, name + " must be " + Expected.of(wanted), headers, status, request);
    }

    private @Nullable ResponseEntity<Object> reject(
            Exception cause, String detail, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return handleExceptionInternal(
                cause, ProblemDetail.forStatusAndDetail(status, detail), headers, status, request);
    }

    private static String describe(ParameterValidationResult result) {
        if (result instanceof ParameterErrors errors) {
            return fields(errors.getAllErrors());
        }
        return name(result.getMethodParameter()) + " " + messages(result.getResolvableErrors());
    }

    private static String fields(Collection<? extends ObjectError> errors) {
        return errors.stream()
                .map(error -> error instanceof FieldError field
                        ? field.getField() + " " + field.getDefaultMessage()
                        : String.valueOf(error.getDefaultMessage()))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private static String messages(List<? extends MessageSourceResolvable> errors) {
        return errors.stream()
                .map(error -> String.valueOf(error.getDefaultMessage()))
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    /** Returns the name that the caller uses: for a header its own, otherwise the parameter's. */
    private static String name(MethodParameter parameter) {
        RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
        return header == null ? String.valueOf(parameter.getParameterName()) : header.name();
    }
}
