package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.stereotype.Component;

/**
 * Declares a bean that handles events: a class with {@link io.holdfast.handling.EventHandler} methods, or a
 * {@code @Bean} method that returns a {@link io.holdfast.handling.Projection} or a
 * {@link io.holdfast.handling.Component}.
 *
 * <pre>{@code
 * @EventComponent(name = "payment-collection", reads = "reservations", breaker = "payment-processing")
 * class PaymentCollection {
 *
 *     @EventHandler
 *     void on(StockReserved event, EventContext context) {
 *         context.decide(Payment.TYPE, event.orderId(), payment -> payment.process(event.total()));
 *     }
 * }
 * }</pre>
 *
 * <p>Components of the same {@link #processor} share its position and read all of its streams. The annotation declares
 * what the code requires. Segments, limits and the start position are configured by
 * {@code framework.processors.<processor>.*}.
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface EventComponent {

    /** The name, which is part of the id that deduplicates effects: keep it for as long as the events exist. */
    String name();

    /** The processor that the component belongs to. By default, it has its own processor of the same name. */
    String processor() default "";

    /** The streams that the processor reads, of this service or of others. */
    String[] reads();

    /** The original name, if the component was renamed. */
    String formerly() default "";

    /**
     * Event types that the component no longer handles, on purpose. Once no running replica handles them, they are
     * skipped, and letters that only waited for a handler are resolved. Without this, they wait for a version with a
     * handler.
     */
    String[] retires() default {};

    /**
     * The saga types whose events the component handles. Events of other sagas, and events outside any saga, are
     * skipped. By default, it handles all events. If a running or earlier version handles more, also declare
     * {@link #retiresSagaTypes}.
     */
    String[] sagaTypes() default {};

    /**
     * Saga types that an earlier version of the component handled and {@link #sagaTypes} no longer names; {@code *} if
     * that version handled all events. Once no running replica handles them, their events are skipped, and letters that
     * only waited are resolved. Without this, they wait for that version.
     */
    String[] retiresSagaTypes() default {};

    /** The circuit breaker that guards the handlers. */
    String breaker() default "";

    /** Whether the handlers are idempotent, so that a reset may handle all events again. */
    boolean resettable() default false;

    /**
     * Whether the handlers call external systems, which cannot be rolled back. The processor then needs an explicit
     * start.
     */
    boolean callsOutside() default false;

    /**
     * Whether the handlers write application rows to the service's database, through {@code JdbcTemplate},
     * {@code @Transactional} services or JPA. They then run in the transaction that also commits the position.
     */
    boolean writesApplicationRows() default false;
}
