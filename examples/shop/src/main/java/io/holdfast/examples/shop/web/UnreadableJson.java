package io.holdfast.examples.shop.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.MismatchedInputException;

/** Describes why a request body could not be parsed and where, without quoting its content. */
final class UnreadableJson {

    private UnreadableJson() {}

    static String describe(HttpMessageNotReadableException unreadable) {
        if (!(unreadable.getCause() instanceof JacksonException cause)) {
            return "A JSON request body is required.";
        }
        if (cause instanceof StreamConstraintsException) {
            return "The request body is nested too deeply or contains a number with too many digits.";
        }
        String field = fieldPath(cause.getPath());
        Class<?> wanted = targetType(cause);
        if (!field.isEmpty() && wanted != null) {
            return field + " must be " + Expected.of(wanted);
        }
        TokenStreamLocation place = cause.getLocation();
        return (field.isEmpty() ? "The request body" : field) + " is not valid JSON or has an unexpected structure"
                + (place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")");
    }

    private static @Nullable Class<?> targetType(JacksonException cause) {
        if (cause instanceof InputCoercionException coercion) {
            return coercion.getTargetType();
        }
        return cause instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
    }

    private static String fieldPath(List<JacksonException.Reference> references) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : references) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }
}
