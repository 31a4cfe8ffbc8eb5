package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.web.Problems;
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
}
