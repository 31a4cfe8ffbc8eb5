package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.fulfillment.OrderFulfillment;
import io.holdfast.examples.shop.web.Problems;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The inventory service. It runs in its own JVM or together with the other services in one. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {InventoryApplication.class, Problems.class})
public class InventoryApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Returns the configured application, not yet started. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(InventoryApplication.class).properties("spring.config.name=shop,inventory");
    }

    @Bean
    AggregateType<Product> product() {
        return Product.TYPE;
    }

    @Bean
    AggregateType<Reservation> reservation() {
        return Reservation.TYPE;
    }

    @Bean
    CompensationRegistrar orderFulfillment(CompensationRegistry registry) {
        return () -> OrderFulfillment.declare(registry);
    }
}
