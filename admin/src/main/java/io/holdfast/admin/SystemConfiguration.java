package io.holdfast.admin;

import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.directory.ServiceDirectory;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.outbox.OutboxListing;
import io.holdfast.admin.processor.ProcessorListing;
import io.holdfast.admin.saga.SagaListing;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.admin.stream.StreamListing;
import io.holdfast.service.HoldfastService;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What shows the state of all services. */
@Configuration(proxyBeanMethods = false)
class SystemConfiguration {

    @Bean
    @ConditionalOnMissingBean
    ServiceDirectory holdfastServiceDirectory(HoldfastService service, ServiceGateway gateway) {
        return new ServiceDirectory(service, gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessorListing holdfastProcessorListing(HoldfastService service, ServiceGateway gateway) {
        return new ProcessorListing(service, gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    StreamListing holdfastStreamListing(HoldfastService service, ServiceGateway gateway) {
        return new StreamListing(service, gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxListing holdfastOutboxListing(HoldfastService service, ServiceGateway gateway) {
        return new OutboxListing(service, gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    BreakerListing holdfastBreakerListing(HoldfastService service, ServiceGateway gateway) {
        return new BreakerListing(service, gateway);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaListing holdfastSagaListing(SagaOperations operations, ServiceGateway gateway) {
        return new SagaListing(operations, gateway);
    }
}
