package io.holdfast.examples.shop.account;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.examples.shop.web.Problems;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;

/** The account service, alone or beside the others in one JVM. */
@SpringBootApplication(
        proxyBeanMethods = false,
        scanBasePackageClasses = {AccountApplication.class, Problems.class})
public class AccountApplication {

    public static void main(String[] args) {
        application().run(args);
    }

    /** Not yet run. */
    public static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(AccountApplication.class).properties("spring.config.name=shop,account");
    }

    @Bean
    AggregateType<Customer> customer() {
        return Customer.TYPE;
    }
}
