package io.holdfast.event;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Sets the event type of a payload class, by default its simple name, and the revision of the JSON that it writes. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface EventType {

    /** The event type; empty for the simple name of the class. */
    String value() default "";

    int revision() default 1;

    /** Reads the annotation and applies its defaults. */
    final class Of {

        private Of() {}

        public static String name(Class<?> type) {
            EventType annotation = type.getAnnotation(EventType.class);
            return annotation == null || annotation.value().isEmpty() ? type.getSimpleName() : annotation.value();
        }

        public static int revision(Class<?> type) {
            EventType annotation = type.getAnnotation(EventType.class);
            return annotation == null ? 1 : annotation.revision();
        }
    }
}
