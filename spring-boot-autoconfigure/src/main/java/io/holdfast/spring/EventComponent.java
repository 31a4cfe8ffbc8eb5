package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.stereotype.Component;

/**
 * A bean that handles events: a class with {@link io.holdfast.processing.EventHandler} methods, or a {@code @Bean} method that
 * gives a {@link io.holdfast.processing.Projection} or a {@link io.holdfast.processing.Component}.
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
 * <p>Components of the same {@link #processor} share its position and read all of its streams. What is said here is what the
 * code means; how many segments and letters, and where to start, is said by {@code framework.processors.<processor>.*}.
 */
@Documented
@Component
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface EventComponent {

    /** Part of the id by which its effects are recognised: it stays the same for as long as its events exist. */
    String name();

    /** The processor that it belongs to; one of its own, of the same name, unless set. */
    String processor() default "";

    /** The streams that its processor reads, of this service or of others. */
    String[] reads();

    /** The name it had first, if it was renamed. */
    String formerly() default "";

    /** The circuit breaker that its handlers are called through. */
    String breaker() default "";

    /** Whether handling all events again is right: what it does, done twice, is as done once. */
    boolean resettable() default false;

    /** Whether it calls something that the committer cannot undo; its processor must then say where it starts. */
    boolean callsOutside() default false;

    /**
     * Whether its handlers write rows of their own to the service's database, by {@code JdbcTemplate}, {@code @Transactional}
     * services or JPA: they run in the transaction that carries the position along.
     */
    boolean writesApplicationRows() default false;
}
