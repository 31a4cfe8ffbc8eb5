package io.holdfast.examples.shop.web;

import java.util.List;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.MismatchedInputException;

/** Says where a body went wrong, without quoting it. */
final class UnreadableJson {

    private UnreadableJson() {}

    static String describe(HttpMessageNotReadableException unreadable) {
        if (unreadable.getCause() instanceof MismatchedInputException mismatch
                && !mismatch.getPath().isEmpty()) {
            return path(mismatch.getPath()) + " must be " + wanted(mismatch.getTargetType());
        }
        if (unreadable.getCause() instanceof JacksonException malformed) {
            TokenStreamLocation place = malformed.getLocation();
            return "the body is not the JSON that is expected here"
                    + (place == null ? "" : "; see line " + place.getLineNr() + ", column " + place.getColumnNr());
        }
        return "the request needs a body of JSON";
    }

    private static String path(List<JacksonException.Reference> references) {
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

    private static String wanted(Class<?> type) {
        if (type == String.class) {
            return "a text";
        }
        if (type == Integer.class) {
            return "a whole number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE;
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        return Iterable.class.isAssignableFrom(type) ? "a list" : "an object";
    }
}
