package io.holdfast.saga.orchestration;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.Decision;
import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.handling.EventContext;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Starts the orchestrated sagas of a service. Thread-safe.
 *
 * <pre>{@code
 * SagaHandle saga = sagas.start(checkout, Command.keyed("POST /checkouts", key), Checkout.of(request));
 * Optional<SagaState> ended = saga.await(Duration.ofSeconds(30)); // empty: still running
 * }</pre>
 */
public final class SagaOrchestrator {

    private static final String ID_PREFIX = "saga-";

    private final EventSourcingController commands;
    private final SagaOrchestrations orchestrations;
    private final SagaAwaits awaits;

    public SagaOrchestrator(EventSourcingController commands, SagaOrchestrations orchestrations, SagaAwaits awaits) {
        this.commands = commands;
        this.orchestrations = orchestrations;
        this.awaits = awaits;
    }

    /** Returns the id of the saga that a command starts. A repeated command has the same one. */
    public static String idOf(Command command) {
        return ID_PREFIX + command.id();
    }

    /**
     * Starts a saga and returns after the commit. A command that is repeated with its key starts no second saga. Local steps
     * at the beginning run in the same commit; if one of them throws, nothing is stored and the exception reaches the caller.
     *
     * @throws PermanentException if this service does not run the definition
     */
    public <D> SagaHandle start(SagaDefinition<D> definition, Command command, D data) {
        CommandResult result =
                commands.execute(command.inSaga(definition.name(), idOf(command)), starting(definition, command, data));
        return new SagaHandle(idOf(command), result.duplicate(), awaits);
    }

    /** As {@link #start(SagaDefinition, Command, Object)}, without waiting for the commit. */
    public <D> CompletableFuture<SagaHandle> submit(SagaDefinition<D> definition, Command command, D data) {
        return commands.submit(command.inSaga(definition.name(), idOf(command)), starting(definition, command, data))
                .thenApply(result -> new SagaHandle(idOf(command), result.duplicate(), awaits));
    }

    private <D> Decision starting(SagaDefinition<D> definition, Command command, D data) {
        String correlation =
                command.metadata().correlationId().orElse(command.id().toString());
        return require(definition).start(idOf(command), data, correlation);
    }

    /**
     * Starts a saga as an effect of handling an event, in the same commit. If the event is handled again, no second saga
     * starts.
     *
     * @param sagaId unique, and derived from the event
     */
    public <D> void start(EventContext context, SagaDefinition<D> definition, String sagaId, D data) {
        String correlation = context.event()
                .metadata()
                .correlationId()
                .orElse(context.event().id().toString());
        context.decide(require(definition).start(sagaId, data, correlation));
    }

    /** Returns a handle for a saga that was started before, to wait for its end. */
    public SagaHandle find(String sagaId) {
        return new SagaHandle(sagaId, true, awaits);
    }

    @SuppressWarnings("unchecked") // the orchestration was created for this very definition
    private <D> Orchestration<D> require(SagaDefinition<D> definition) {
        Optional<Orchestration<?>> found = orchestrations.find(definition.name());
        if (found.isEmpty() || found.get().definition() != definition) {
            throw new PermanentException("the service does not run " + definition
                    + "; add it with HoldfastService.named(…).saga(definition), in Spring as a bean");
        }
        return (Orchestration<D>) found.get();
    }
}
