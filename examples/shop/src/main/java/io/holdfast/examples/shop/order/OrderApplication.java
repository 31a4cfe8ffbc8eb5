package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.web.Problems;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The order service. It runs in its own JVM or together with the other services in one. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {OrderApplication.class, Problems.class})
public class OrderApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Returns the configured application, not yet started. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(OrderApplication.class).properties("spring.config.name=shop,order");
    }

    @Bean
    AggregateType<Order> order() {
        return Order.TYPE;
    }

    /** This service tracks the saga. After the deadline, it cancels the order, and the other services compensate. */
    @Bean
    CompensationRegistrar orderFulfillment(CompensationRegistry registry) {
        OrderFulfillment.declare(registry)
                .cancelBy((saga, decision) -> OrderCancellation.cancel(saga.key(), saga.reason(), decision));
        return () -> {};
    }
}
