package io.holdfast.examples.shop.payment;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.web.Problems;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The payment service. It runs in its own JVM or together with the other services in one. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {PaymentApplication.class, Problems.class})
public class PaymentApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Returns the configured application, not yet started. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(PaymentApplication.class).properties("spring.config.name=shop,payment");
    }

    @Bean
    AggregateType<Payment> payment() {
        return Payment.TYPE;
    }

    @Bean
    CompensationRegistrar orderFulfillment(CompensationRegistry registry) {
        return () -> OrderFulfillment.declare(registry);
    }
}
