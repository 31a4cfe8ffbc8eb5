package io.holdfast.admin.gateway;

import io.holdfast.PermanentException;
import io.holdfast.wire.OperationDispatcher;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.Wire;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** What this replica answers: to other services over the wire, and to its own gateway. Thread-safe. */
public final class OwnerEndpoints implements AutoCloseable {

    private final OperationDispatcher dispatcher;
    private final Map<String, BiFunction<Operator, Object, CompletableFuture<?>>> handlers = new ConcurrentHashMap<>();
    private final CopyOnWriteArrayList<Wire.Registration> registrations = new CopyOnWriteArrayList<>();

    public OwnerEndpoints(OperationDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /**
     * Answers a question at once.
     *
     * @param handler throws an {@link OperatorProblem} to refuse the request
     */
    public <Q, A> void serve(Endpoint<Q, A> endpoint, BiFunction<Operator, Q, A> handler) {
        serveLater(
                endpoint, (operator, question) -> CompletableFuture.completedFuture(handler.apply(operator, question)));
    }

    /** Answers a question when the future completes. The handler itself must not wait. */
    public <Q, A> void serveLater(Endpoint<Q, A> endpoint, BiFunction<Operator, Q, CompletableFuture<A>> handler) {
        handlers.put(
                endpoint.name(),
                (operator, question) ->
                        handler.apply(operator, endpoint.question().cast(question)));
        registrations.add(dispatcher.registerAsync(endpoint.name(), request -> reply(endpoint, handler, request)));
    }

    private static <Q, A> CompletableFuture<String> reply(
            Endpoint<Q, A> endpoint, BiFunction<Operator, Q, CompletableFuture<A>> handler, OperationRequest request) {
        Envelope.Asked<Q> asked = Envelope.readRequest(request.body(), endpoint.question());
        CompletableFuture<A> answer;
        try {
            answer = handler.apply(asked.operator(), asked.question());
        } catch (OperatorProblem refused) {
            return CompletableFuture.completedFuture(Envelope.problem(refused.problem()));
        }
        return answer.thenApply(Envelope::answer).exceptionally(OwnerEndpoints::problem);
    }

    private static String problem(Throwable failure) {
        OperatorProblem refused = Failures.problem(failure);
        if (refused == null) {
            throw Failures.toThrow(failure);
        }
        return Envelope.problem(refused.problem());
    }

    /** Asks this replica itself, without the wire. Blocks as long as the handler does. */
    <Q, A> CompletableFuture<A> call(Endpoint<Q, A> endpoint, Operator operator, Q question) {
        BiFunction<Operator, Object, CompletableFuture<?>> handler = handlers.get(endpoint.name());
        if (handler == null) {
            throw new PermanentException("no handler answers " + endpoint.name() + "; serve it first");
        }
        return handler.apply(operator, question).thenApply(endpoint.answer()::cast);
    }

    /** Ends all registrations. */
    @Override
    public void close() {
        registrations.forEach(Wire.Registration::close);
        registrations.clear();
    }
}
