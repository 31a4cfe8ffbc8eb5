package io.holdfast.spring;

import io.holdfast.saga.Choreographies;
import io.holdfast.saga.Choreography;
import io.holdfast.saga.CompensationRegistrar;
import io.holdfast.saga.CompensationRegistry;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.spring.properties.SagaProperties;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;

/** Applies the declarations of sagas and the properties {@code saga.*} to the service. */
record SagaSetup(
        SagaProperties properties,
        CompensationRegistry registry,
        ObjectProvider<CompensationRegistrar> registrars,
        SagaTimeoutPublisher timeouts) {

    void addTo(HoldfastServiceBuilder service) {
        registrars.orderedStream().forEach(CompensationRegistrar::register);
        service.sagas(registry).sagaSettings(properties.settings()).onSagaTimeout(timeouts::publish);
    }

    /** @throws InvalidConfigurationException if properties name a saga type that is not declared */
    void requireKnown(Choreographies declared) {
        List<String> errors = properties.timeout().sagaTypes().keySet().stream()
                .filter(type -> declared.find(type).isEmpty())
                .sorted()
                .map(type -> "saga.timeout.saga-types." + type
                        + " configures a saga type that is not declared; the types are " + types(declared))
                .toList();
        if (!errors.isEmpty()) {
            throw new InvalidConfigurationException("invalid Holdfast properties", errors);
        }
    }

    private static TreeSet<String> types(Choreographies declared) {
        return declared.all().stream().map(Choreography::type).collect(Collectors.toCollection(TreeSet::new));
    }
}
