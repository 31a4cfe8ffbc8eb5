package io.holdfast.benchmarks;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an option that must be an integer above 0. */
final class PositiveNumber implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String value) {
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new TypeConversionException("must be an integer from 1 to " + Integer.MAX_VALUE + ", but is " + value);
    }
}
