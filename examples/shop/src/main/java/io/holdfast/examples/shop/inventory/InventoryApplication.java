package io.holdfast.examples.shop.inventory;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.web.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The inventory service, alone or beside the others in one JVM. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {InventoryApplication.class, Problems.class})
public class InventoryApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Not yet run. */
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
}
