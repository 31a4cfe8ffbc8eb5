package io.holdfast.spring;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.event.EventLog;
import io.holdfast.event.PayloadCodec;
import io.holdfast.event.Upcaster;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.idempotency.IdempotentExecutor;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.resilience.ResilientServiceInvoker;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.service.Store;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.ServiceName;
import io.holdfast.spring.properties.ServiceVersion;
import io.holdfast.spring.store.HoldfastStoreAutoConfiguration;
import io.holdfast.view.ViewRows;
import io.holdfast.wire.Wire;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of the {@link HoldfastService}, from the beans and properties of the application, and of the beans
 * that applications inject.
 */
@AutoConfiguration(
        after = {HoldfastStoreAutoConfiguration.class, HoldfastWireAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@Import(SagaConfiguration.class)
public class HoldfastAutoConfiguration {

    /** Has its own mapper: the format of stored events must not change with the web layer's. */
    @Bean
    @ConditionalOnMissingBean
    PayloadCodec holdfastPayloadCodec(HoldfastProperties properties, ObjectProvider<Upcaster> upcasters) {
        return new PayloadCodec(
                JsonMapper.builder().build(),
                Math.toIntExact(properties.wire().maxEventSize().toBytes()),
                upcasters.orderedStream().toList());
    }

    @Bean
    EventComponents holdfastEventComponents(
            ConfigurableListableBeanFactory beans, Store store, ObjectProvider<DataSource> dataSources) {
        return EventComponents.discover(beans, store instanceof InMemoryStore ? null : dataSources.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    HoldfastService holdfastService(
            Environment environment,
            HoldfastProperties properties,
            Store store,
            Wire wire,
            PayloadCodec codec,
            EventComponents components,
            SagaSetup sagas,
            ServiceBeans beans,
            ObjectProvider<BuildProperties> build) {
        HoldfastServiceBuilder builder = HoldfastService.named(ServiceName.of(environment), store, wire)
                .version(ServiceVersion.of(properties, build.getIfAvailable(), environment))
                .codec(codec);
        ServiceSetup.apply(properties, builder);
        ProcessorSetup processors = new ProcessorSetup(properties.processors());
        builder.customizeProcessors(processors::apply);
        components.addTo(builder);
        sagas.addTo(builder);
        beans.addTo(builder);
        HoldfastService service = builder.build();
        processors.requireKnown(service.processors().keySet());
        sagas.warnAboutUnknown(service);
        // Otherwise a bean that executes a command while it is being created would block the startup.
        service.acceptCommands();
        return service;
    }

    @Bean
    ServiceBeans holdfastServiceBeans(
            ObjectProvider<AggregateType<?>> aggregates,
            ObjectProvider<HandlerInterceptor> interceptors,
            ObjectProvider<DeadLetterListener> listeners,
            ObjectProvider<EnqueuePolicy> policy,
            ObjectProvider<Clock> clock,
            ObjectProvider<MeterRegistry> metrics,
            ObjectProvider<HoldfastServiceCustomizer> customizers) {
        return new ServiceBeans(aggregates, interceptors, listeners, policy, clock, metrics, customizers);
    }

    @Bean
    HoldfastLifecycle holdfastLifecycle(
            HoldfastService service,
            EventComponents components,
            Store store,
            Wire wire,
            ObjectProvider<DataSource> dataSources) {
        return new HoldfastLifecycle(service, components, DurabilityBanner.of(store, wire, dataSources.getIfUnique()));
    }

    @Bean
    @ConditionalOnMissingBean
    EventSourcingController eventSourcingController(HoldfastService service) {
        return service.commands();
    }

    @Bean
    @ConditionalOnMissingBean
    ViewRows viewRows(HoldfastService service) {
        return service.views();
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxStore outboxStore(Store store) {
        return store.outboxStore();
    }

    @Bean
    @ConditionalOnMissingBean
    ResilientServiceInvoker resilientServiceInvoker(HoldfastService service) {
        return service.resilience();
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotentExecutor idempotentExecutor(HoldfastService service) {
        return service.idempotentExecutor();
    }

    @Bean
    @ConditionalOnMissingBean
    EventLog eventLog(Store store) {
        return store.eventLog();
    }
}
