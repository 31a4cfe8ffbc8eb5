package io.holdfast.admin;

import io.holdfast.service.HoldfastService;
import io.holdfast.spring.HoldfastAutoConfiguration;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What operators do about a service, where there is one. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBean(HoldfastService.class)
@EnableConfigurationProperties(FaultInjectionProperties.class)
public class HoldfastAdminAutoConfiguration {

    /** Used by the service, which tells it what leaves. */
    @Bean
    @ConditionalOnMissingBean
    Departures holdfastDepartures() {
        return new Departures();
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterOperations holdfastDeadLetterOperations(HoldfastService service, Departures departures) {
        return new DeadLetterOperations(service, departures);
    }

    /** Only where it is asked for: nobody wants it in production by accident. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("framework.fault-injection.enabled")
    static class FaultConfiguration {

        /** Used by the service, which asks it before every handler. */
        @Bean
        @ConditionalOnMissingBean
        FaultInjection holdfastFaultInjection() {
            return new FaultInjection();
        }

        @Bean
        @ConditionalOnMissingBean
        FaultOperations holdfastFaultOperations(
                HoldfastService service, FaultInjection injection, ObjectProvider<Clock> clock) {
            return new FaultOperations(service, injection, clock.getIfUnique(Clock::systemUTC));
        }
    }
}
