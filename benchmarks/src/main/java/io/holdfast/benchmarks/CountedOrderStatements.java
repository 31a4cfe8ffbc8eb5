package io.holdfast.benchmarks;

import io.holdfast.examples.shop.launcher.ShopService;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;

/**
 * Counts the statements of the order service. Spring creates it by its name, which is a value of
 * {@code spring.main.sources}; therefore the counter is static.
 */
final class CountedOrderStatements implements BeanPostProcessor {

    static final CountedCalls COUNTED = new CountedCalls();

    private final boolean counting;

    CountedOrderStatements(Environment environment) {
        this.counting = ShopService.ORDER.serviceName().equals(environment.getProperty("spring.application.name"));
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return counting && bean instanceof DataSource dataSource ? COUNTED.wrap(dataSource) : bean;
    }
}
