package io.holdfast.admin.web;

import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.directory.ServiceDirectory;
import io.holdfast.admin.operation.SystemOperations;
import io.holdfast.admin.outbox.OutboxListing;
import io.holdfast.admin.processor.ProcessorListing;
import io.holdfast.admin.saga.SagaListing;
import io.holdfast.admin.stream.StreamListing;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoints that show the state of all services. The auto-configuration imports it. */
class SystemWebConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ServiceController holdfastServiceController(ServiceDirectory directory, Operators operators) {
        return new ServiceController(directory, operators);
    }

    @Bean
    @ConditionalOnMissingBean
    SystemController holdfastSystemController(
            ProcessorListing processors,
            StreamListing streams,
            OutboxListing outboxes,
            BreakerListing breakers,
            Operators operators) {
        return new SystemController(processors, streams, outboxes, breakers, operators);
    }

    @Bean
    @ConditionalOnMissingBean
    GatheredSagaController holdfastGatheredSagaController(SagaListing sagas, Operators operators) {
        return new GatheredSagaController(sagas, operators);
    }

    @Bean
    @ConditionalOnMissingBean
    SystemOperationController holdfastSystemOperationController(SystemOperations operations, ActionRequests requests) {
        return new SystemOperationController(operations, requests);
    }
}
