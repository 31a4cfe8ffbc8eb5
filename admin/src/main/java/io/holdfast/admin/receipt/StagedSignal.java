package io.holdfast.admin.receipt;

import io.holdfast.admin.gateway.Endpoint;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.processing.EventProcessor;
import io.holdfast.service.HoldfastService;

/**
 * Tells the other replicas of the service that an action was staged, so that its executor starts at once. A lost signal
 * costs a second: every replica polls.
 */
final class StagedSignal {

    private static final Endpoint<Question, Answer> STAGED =
            new Endpoint<>("action.staged", Question.class, Answer.class);

    private final HoldfastService service;
    private final ServiceGateway gateway;

    StagedSignal(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    record Question() {}

    record Answer() {}

    void register(OwnerEndpoints endpoints) {
        endpoints.serve(STAGED, (operator, question) -> {
            service.processors().values().forEach(EventProcessor::pollActions);
            return new Answer();
        });
    }

    void send(Operator operator) {
        var unused = gateway.gatherReplicas(STAGED, operator, new Question(), name -> name.equals(service.name()));
    }
}
