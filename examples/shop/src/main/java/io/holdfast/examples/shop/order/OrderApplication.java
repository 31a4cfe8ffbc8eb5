package io.holdfast.examples.shop.order;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.web.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The order service, alone or beside the others in one JVM. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {OrderApplication.class, Problems.class})
public class OrderApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Not yet run. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(OrderApplication.class).properties("spring.config.name=shop,order");
    }

    @Bean
    AggregateType<Order> order() {
        return Order.TYPE;
    }
}
