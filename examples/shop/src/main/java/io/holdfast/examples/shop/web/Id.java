package io.holdfast.examples.shop.web;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import jakarta.validation.ReportAsSingleViolation;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** An id in the format that the shop's services assign, or null. Anything else is rejected before a lookup. */
@Documented
@Constraint(validatedBy = {})
@Pattern(regexp = "[A-Za-z0-9_-]{1,64}")
@ReportAsSingleViolation
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
public @interface Id {

    String message() default "must be an id: 1 to 64 letters, digits, hyphens or underscores";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
