package io.holdfast.spring;

import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.SagaStateStore;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaOrchestrator;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.properties.SagaProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of sagas: the registry that applications declare choreographed ones on, the orchestrator that starts
 * orchestrated ones, and the store that they read them from.
 */
@Configuration(proxyBeanMethods = false)
class SagaConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CompensationRegistry compensationRegistry() {
        return new CompensationRegistry();
    }

    @Bean
    SagaTimeoutPublisher holdfastSagaTimeoutPublisher(ApplicationEventPublisher application) {
        return new SagaTimeoutPublisher(application);
    }

    @Bean
    SagaSetup holdfastSagaSetup(
            SagaProperties properties,
            CompensationRegistry registry,
            ObjectProvider<CompensationRegistrar> registrars,
            ObjectProvider<SagaDefinition<?>> definitions,
            SagaTimeoutPublisher timeouts) {
        return new SagaSetup(properties, registry, registrars, definitions, timeouts);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaStateStore sagaStateStore(HoldfastService service) {
        return service.sagaStates();
    }

    @Bean
    @ConditionalOnMissingBean
    SagaOrchestrator sagaOrchestrator(HoldfastService service) {
        return service.sagas();
    }
}
