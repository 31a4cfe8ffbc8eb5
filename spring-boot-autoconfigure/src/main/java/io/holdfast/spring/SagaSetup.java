package io.holdfast.spring;

import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.spring.properties.SagaProperties;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Applies the declarations of sagas and the properties {@code saga.*} to the service. */
record SagaSetup(
        SagaProperties properties,
        CompensationRegistry registry,
        ObjectProvider<CompensationRegistrar> registrars,
        ObjectProvider<SagaDefinition<?>> definitions,
        SagaTimeoutPublisher timeouts) {

    private static final Logger log = LoggerFactory.getLogger(SagaSetup.class);

    void addTo(HoldfastServiceBuilder service) {
        registrars.orderedStream().forEach(CompensationRegistrar::register);
        definitions.orderedStream().forEach(service::saga);
        service.sagas(registry).sagaSettings(properties.settings()).onSagaTimeout(timeouts::publish);
    }

    /**
     * Warns about deadlines of saga types that the service does not declare, which are probably misspelled. No error,
     * because services may share their properties; for the same reason, a service without sagas does not warn.
     */
    void warnAboutUnknown(HoldfastService service) {
        Set<String> types = new TreeSet<>();
        service.sagaTypes().all().forEach(type -> types.add(type.type()));
        service.sagaDefinitions().forEach(definition -> types.add(definition.name()));
        Set<String> unknown = new TreeSet<>(properties.timeout().sagaTypes().keySet());
        unknown.removeAll(types);
        if (!types.isEmpty() && !unknown.isEmpty()) {
            log.warn(
                    "saga.timeout.saga-types configures {}, which this service does not declare; its saga types are {}",
                    unknown,
                    types);
        }
    }
}
