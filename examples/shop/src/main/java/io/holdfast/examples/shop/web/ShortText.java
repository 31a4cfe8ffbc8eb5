package io.holdfast.examples.shop.web;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A non-blank, single-line string that every store can save and every page can show, or null. */
@Documented
@Constraint(validatedBy = {})
@Size(max = ShortText.MAX)
@Pattern(regexp = "[^\\p{Cc}\\p{Cs}]*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*")
@ReportAsSingleViolation
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
public @interface ShortText {

    int MAX = 255;

    String message() default "must be a non-blank string of at most 255 characters without control characters";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
