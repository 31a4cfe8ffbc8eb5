package io.holdfast.admin;

import io.holdfast.admin.deadletter.DeadLetterOwner;
import io.holdfast.admin.deadletter.DeadLetterQueueOperations;
import io.holdfast.admin.deadletter.DeadLetters;
import io.holdfast.admin.deadletter.GatewayDeadLetterQueue;
import io.holdfast.admin.deadletter.LetterActionHandler;
import io.holdfast.admin.deadletter.LetterActionHandler.SagaEnding;
import io.holdfast.admin.fault.FaultInjection;
import io.holdfast.admin.fault.FaultInjectionProperties;
import io.holdfast.admin.fault.FaultOperations;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.ActionHandler;
import io.holdfast.admin.receipt.ActionOwner;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.saga.SagaEndings;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.saga.SagaStatus;
import io.holdfast.service.HoldfastService;
import io.holdfast.spring.HoldfastAutoConfiguration;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.wire.KnownService;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Auto-configuration of the operations, for applications with a {@link HoldfastService}. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnBean(HoldfastService.class)
@EnableConfigurationProperties(FaultInjectionProperties.class)
@Import({SystemConfiguration.class, OperationConfiguration.class})
public class HoldfastAdminAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    SagaOperations holdfastSagaOperations(HoldfastService service, ObjectProvider<Clock> clock) {
        return new SagaOperations(service, clock.getIfUnique(Clock::systemUTC));
    }

    @Bean
    @ConditionalOnMissingBean
    OwnerEndpoints holdfastOwnerEndpoints(HoldfastService service) {
        return new OwnerEndpoints(service.operations());
    }

    /** Singletons of this kind are never lazy, and are called before the service starts. */
    @Bean
    SmartInitializingSingleton holdfastEndpointRegistration(
            OwnerEndpoints endpoints, ObjectProvider<EndpointRegistrar> registrars) {
        return () -> registrars.orderedStream().forEach(registrar -> registrar.register(endpoints));
    }

    /** Asks the services that were seen, and names those that are silent. */
    @Bean
    @ConditionalOnMissingBean
    ServiceGateway holdfastServiceGateway(
            HoldfastService service, OwnerEndpoints endpoints, ObjectProvider<Clock> clock) {
        return new ServiceGateway(
                service, endpoints, clock.getIfUnique(Clock::systemUTC), () -> service.knownServices().stream()
                        .map(KnownService::name)
                        .toList());
    }

    @Bean
    @ConditionalOnMissingBean
    ActionGateway holdfastActionGateway(ServiceGateway gateway) {
        return new ActionGateway(gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    ActionOwner holdfastActionOwner(
            HoldfastService service,
            ServiceGateway gateway,
            ObjectProvider<ActionHandler> handlers,
            HoldfastProperties properties) {
        return new ActionOwner(
                service,
                gateway,
                handlers.orderedStream().toList(),
                properties.operations().requireReason());
    }

    @Bean
    @ConditionalOnMissingBean
    Receipts holdfastReceipts(ServiceGateway gateway) {
        return new Receipts(gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaEndings holdfastSagaEndings(ServiceGateway gateway, HoldfastService service) {
        return new SagaEndings(gateway, service.sagaStates());
    }

    @Bean
    @ConditionalOnMissingBean
    LetterActionHandler holdfastLetterActionHandler(
            HoldfastService service, SagaEndings sagas, HoldfastProperties properties) {
        return new LetterActionHandler(
                service,
                (saga, operator) -> sagas.find(saga, operator)
                        .thenApply(found -> new SagaEnding(found.ended().map(SagaStatus::name), found.isKnown())),
                properties.dlq().maxReplayAttempts());
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterOwner holdfastDeadLetterOwner(HoldfastService service) {
        return new DeadLetterOwner(service);
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetters holdfastDeadLetters(ServiceGateway gateway, ActionGateway actions) {
        return new DeadLetters(gateway, actions);
    }

    @Bean
    @ConditionalOnMissingBean
    DeadLetterQueueOperations holdfastDeadLetterQueue(
            DeadLetters letters, HoldfastService service, ObjectProvider<Clock> clock) {
        return new GatewayDeadLetterQueue(letters, service, clock.getIfUnique(Clock::systemUTC));
    }

    /** Disabled by default, so that no production system has fault injection by accident. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("framework.fault-injection.enabled")
    static class FaultConfiguration {

        /** The service registers this bean as an interceptor. */
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
