package io.holdfast.spring;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.deadletter.DeadLetterListener;
import io.holdfast.deadletter.EnqueuePolicy;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.service.HoldfastServiceBuilder;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;

/** Applies the application's beans to the service, in their order. Customizers come last. */
record ServiceBeans(
        ObjectProvider<AggregateType<?>> aggregates,
        ObjectProvider<HandlerInterceptor> interceptors,
        ObjectProvider<DeadLetterListener> listeners,
        ObjectProvider<EnqueuePolicy> policy,
        ObjectProvider<Clock> clock,
        ObjectProvider<MeterRegistry> metrics,
        ObjectProvider<HoldfastServiceCustomizer> customizers) {

    void addTo(HoldfastServiceBuilder service) {
        aggregates.orderedStream().forEach(aggregate -> service.owns(aggregate.stream()));
        interceptors.orderedStream().forEach(service::interceptor);
        listeners.orderedStream().forEach(service::deadLetterListener);
        EnqueuePolicy only = UniqueBean.of(EnqueuePolicy.class, policy);
        if (only != null) {
            service.deadLetters(queues -> queues.enqueuePolicy(only));
        }
        clock.ifUnique(service::clock);
        metrics.ifUnique(service::metrics);
        customizers.orderedStream().forEach(customizer -> customizer.customize(service));
    }
}
