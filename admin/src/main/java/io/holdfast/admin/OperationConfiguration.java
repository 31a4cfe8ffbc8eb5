package io.holdfast.admin;

import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.operation.BreakerOperations;
import io.holdfast.admin.operation.GroupOperations;
import io.holdfast.admin.operation.OutboxOperations;
import io.holdfast.admin.operation.ProcessorOperations;
import io.holdfast.admin.operation.SagaOperationHandler;
import io.holdfast.admin.operation.SystemOperations;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.saga.SagaEndings;
import io.holdfast.admin.stream.StreamListing;
import io.holdfast.service.HoldfastService;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What changes parts of the system. The owner of actions collects the handlers, also in a lazy application. */
@Configuration(proxyBeanMethods = false)
class OperationConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ProcessorOperations holdfastProcessorOperations(HoldfastService service) {
        return ProcessorOperations.of(service);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaOperationHandler holdfastSagaOperationHandler(HoldfastService service) {
        return SagaOperationHandler.of(service);
    }

    @Bean
    @ConditionalOnMissingBean
    GroupOperations holdfastGroupOperations(HoldfastService service) {
        return GroupOperations.of(service);
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxOperations holdfastOutboxOperations(HoldfastService service) {
        return OutboxOperations.of(service);
    }

    @Bean
    @ConditionalOnMissingBean
    BreakerOperations holdfastBreakerOperations(HoldfastService service, BreakerListing breakers) {
        return BreakerOperations.of(service, breakers);
    }

    @Bean
    @ConditionalOnMissingBean
    SystemOperations holdfastSystemOperations(
            ServiceGateway gateway,
            ActionGateway actions,
            Receipts receipts,
            SagaEndings sagas,
            StreamListing streams) {
        return new SystemOperations(gateway, actions, receipts, sagas, streams);
    }
}
