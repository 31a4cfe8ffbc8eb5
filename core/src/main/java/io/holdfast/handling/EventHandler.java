package io.holdfast.handling;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares a method of a plain object as the handler of one event type; see {@link Component#of}. Its parameters are
 * resolved by type, in any order:
 *
 * <ul>
 *   <li>the payload: any class that is not listed below; optional if {@link #value} names the event type
 *   <li>{@code EventMessage}, {@code Metadata}, {@link EventContext}
 *   <li>{@code DeadLetter}: the letter during a replay, otherwise null; declare it {@code @Nullable}
 * </ul>
 *
 * A method that returns a {@code CompletionStage} is asynchronous. Any other method must return void.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface EventHandler {

    /** The name of the event type; by default that of the payload's class. */
    String value() default "";
}
