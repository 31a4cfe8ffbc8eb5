package io.holdfast.processing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a plain object as the handler of one type of event; see {@link Component#of}. Its parameters are found
 * by their types, in any order:
 *
 * <ul>
 *   <li>the payload: any class that is none of the following; it may be left out if {@link #value} names the type
 *   <li>{@code EventMessage}, {@code Metadata}, {@link EventContext}
 *   <li>{@code DeadLetter}, null in normal handling, the letter when it is handled again; mark it {@code @Nullable}
 * </ul>
 *
 * A method that returns a {@code CompletionStage} handles asynchronously, every other returns nothing.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface EventHandler {

    /** The name of the event type; empty for that of the payload's class. */
    String value() default "";
}
