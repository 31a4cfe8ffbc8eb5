package io.holdfast.admin;

import io.holdfast.admin.breaker.BreakerListing;
import io.holdfast.admin.directory.ServiceDirectory;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.outbox.OutboxListing;
import io.holdfast.admin.processor.ProcessorListing;
import io.holdfast.admin.saga.SagaListing;
import io.holdfast.admin.saga.SagaOperations;
import io.holdfast.admin.stream.StreamListing;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.HoldfastServiceBuilder;
import io.holdfast.wire.KnownService;
import java.time.Clock;
import java.util.stream.Stream;

/** A running replica of a service, with everything that shows the state of the system. */
public final class AdminReplica implements AutoCloseable {

    public final HoldfastService service;
    public final ServiceGateway gateway;
    public final ServiceDirectory directory;
    public final ProcessorListing processors;
    public final StreamListing streams;
    public final OutboxListing outboxes;
    public final BreakerListing breakers;
    public final SagaListing sagas;

    public AdminReplica(HoldfastServiceBuilder builder) {
        this.service = builder.build();
        OwnerEndpoints endpoints = new OwnerEndpoints(service.operations());
        this.gateway = new ServiceGateway(service, endpoints, Clock.systemUTC(), () -> service.knownServices().stream()
                .map(KnownService::name)
                .toList());
        this.directory = new ServiceDirectory(service, gateway);
        this.processors = new ProcessorListing(service, gateway);
        this.streams = new StreamListing(service, gateway);
        this.outboxes = new OutboxListing(service, gateway);
        this.breakers = new BreakerListing(service, gateway);
        this.sagas = new SagaListing(new SagaOperations(service, Clock.systemUTC()), gateway);
        Stream.<EndpointRegistrar>of(directory, processors, streams, outboxes, breakers, sagas)
                .forEach(registrar -> registrar.register(endpoints));
        service.start();
    }

    public Operator operator(Role role) {
        return new Operator("ana", role, new Operator.Via(service.name(), service.replica(), null));
    }

    @Override
    public void close() {
        gateway.close();
        service.close();
    }
}
