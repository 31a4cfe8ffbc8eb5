package io.holdfast.examples.shop.account;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.web.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The account service. It runs in its own JVM or together with the other services in one. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {AccountApplication.class, Problems.class})
public class AccountApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Returns the configured application, not yet started. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(AccountApplication.class).properties("spring.config.name=shop,account");
    }

    @Bean
    AggregateType<Customer> customer() {
        return Customer.TYPE;
    }
}
