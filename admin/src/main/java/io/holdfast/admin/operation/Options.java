package io.holdfast.admin.operation;

import io.holdfast.admin.gateway.OperatorProblem;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads the options of an action. An invalid one is an {@link OperatorProblem}. */
record Options(Map<String, String> values) {

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).filter(text -> !text.isBlank());
    }

    String requireText(String name) {
        return text(name).orElseThrow(() -> invalid(name + " is required"));
    }

    OptionalLong number(String name) {
        Optional<String> text = text(name);
        return text.isPresent() ? OptionalLong.of(toNumber(name, text.get())) : OptionalLong.empty();
    }

    /** A segment, which exists in every processor from 0 on. */
    int requireSegment() {
        long number = number(Fields.SEGMENT).orElseThrow(() -> invalid(Fields.SEGMENT + " is required"));
        if (number > Integer.MAX_VALUE) {
            throw invalid(Fields.SEGMENT + " must be the number of a segment, but is " + number);
        }
        return (int) number;
    }

    private static long toNumber(String name, String text) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw invalid(name + " must be a number, 0 or more, but is " + text);
    }

    /** Returns empty unless the option is a time. */
    Optional<Instant> time(String name) {
        return text(name).flatMap(text -> {
            try {
                return Optional.of(Instant.parse(text));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        });
    }

    static OperatorProblem invalid(String error) {
        return OperatorProblem.of(400, "invalid-parameters", "Invalid parameters", error, "Correct the request");
    }
}
