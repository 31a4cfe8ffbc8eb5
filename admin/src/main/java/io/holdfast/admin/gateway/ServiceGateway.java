package io.holdfast.admin.gateway;

import io.holdfast.RetryableException;
import io.holdfast.event.EventIds;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.NoReplyException;
import io.holdfast.wire.OperationClient;
import io.holdfast.wire.OperationFailedException;
import io.holdfast.wire.OperationRequest;
import io.holdfast.wire.OperationThreads;
import io.holdfast.wire.UnknownOperationException;
import io.holdfast.wire.Wire;
import io.holdfast.wire.WireUnavailableException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks services on behalf of operators: this service directly, others over the wire. Stores nothing, and never blocks
 * the caller. Without the wire, it still asks this service. Thread-safe.
 */
public final class ServiceGateway implements AutoCloseable {

    /** Maximum time for the answers of all services. */
    static final Duration GATHER_TIMEOUT = Duration.ofSeconds(1);
    /** After this time, a second replica is asked. */
    static final Duration GATHER_ATTEMPT_TIMEOUT = Duration.ofMillis(300);

    private final HoldfastService service;
    private final OwnerEndpoints endpoints;
    private final Clock clock;
    private final Supplier<? extends Collection<String>> knownServices;
    private final Wire wire;
    private final OperationClient client;
    private final OperationClient impatientClient;
    private final OperationThreads threads;

    /** @param knownServices the services that have been seen, also those that are silent now */
    public ServiceGateway(
            HoldfastService service,
            OwnerEndpoints endpoints,
            Clock clock,
            Supplier<? extends Collection<String>> knownServices) {
        this.service = service;
        this.endpoints = endpoints;
        this.clock = clock;
        this.knownServices = knownServices;
        this.wire = service.wire();
        this.client = new OperationClient(wire, clock);
        this.impatientClient = new OperationClient(wire, clock, GATHER_ATTEMPT_TIMEOUT);
        this.threads = new OperationThreads("gateway-" + service.replica());
    }

    /** Returns the name of this service. */
    public String service() {
        return service.name();
    }

    /** As {@link #ask(String, Endpoint, Operator, Object, Duration)}, with the default timeout of requests. */
    public <Q, A> CompletableFuture<A> ask(String owner, Endpoint<Q, A> endpoint, Operator operator, Q question) {
        return ask(owner, endpoint, operator, question, OperationClient.DEFAULT_TIMEOUT);
    }

    /**
     * Asks the owner. The future fails with an {@link OperatorProblem}, or with a {@link RetryableException} if the
     * owner's store is unavailable.
     *
     * @param timeout then the problem is {@code unconfirmed}: the owner may have received the request
     */
    public <Q, A> CompletableFuture<A> ask(
            String owner, Endpoint<Q, A> endpoint, Operator operator, Q question, Duration timeout) {
        return owner.equals(service.name())
                ? within(timeout, owner, askLocally(endpoint, operator, question))
                : client.ask(request(owner, endpoint, operator, question), timeout)
                        .handle((reply, failure) -> read(owner, endpoint, reply, failure));
    }

    /** This replica's own store may hang, as other replicas may. */
    private static <A> CompletableFuture<A> within(Duration timeout, String owner, CompletableFuture<A> answer) {
        return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS).exceptionally(failure -> {
            if (Failures.cause(failure) instanceof TimeoutException) {
                throw OperatorProblem.unconfirmed(owner, "no answer within " + timeout.toMillis() + " ms");
            }
            throw Failures.toThrow(failure);
        });
    }

    /** As {@link #ask}, for state that only one replica has. */
    public <Q, A> CompletableFuture<A> askReplica(
            String owner, String replica, Endpoint<Q, A> endpoint, Operator operator, Q question) {
        return replica.equals(service.replica())
                ? askLocally(endpoint, operator, question)
                : wire.ask(
                                replica,
                                request(owner, endpoint, operator, question),
                                OperationClient.DEFAULT_ATTEMPT_TIMEOUT)
                        .handle((reply, failure) -> read(owner, endpoint, reply, failure));
    }

    /** Asks all known services that are selected. Those that fail or do not answer within a second are named. */
    public <Q, A> CompletableFuture<Gathered<A>> gather(
            Endpoint<Q, A> endpoint, Operator operator, Q question, Predicate<String> selected) {
        return gather(endpoint, operator, question, selected, GATHER_TIMEOUT);
    }

    /** As {@link #gather(Endpoint, Operator, Object, Predicate)}, with another timeout. */
    public <Q, A> CompletableFuture<Gathered<A>> gather(
            Endpoint<Q, A> endpoint, Operator operator, Q question, Predicate<String> selected, Duration timeout) {
        Map<String, CompletableFuture<A>> answers = new LinkedHashMap<>();
        knownServices().stream()
                .filter(selected)
                .forEach(name -> answers.put(name, answer(name, endpoint, operator, question, timeout)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .handle((unused, failure) -> gathered(answers));
    }

    private <Q, A> CompletableFuture<A> answer(
            String name, Endpoint<Q, A> endpoint, Operator operator, Q question, Duration timeout) {
        CompletableFuture<A> answer = name.equals(service.name())
                ? askLocally(endpoint, operator, question)
                : impatientClient
                        .ask(request(name, endpoint, operator, question), timeout)
                        .handle((reply, failure) -> read(name, endpoint, reply, failure));
        return answer.orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static <A> Gathered<A> gathered(Map<String, CompletableFuture<A>> answers) {
        Map<String, A> complete = new TreeMap<>();
        Set<String> incomplete = new TreeSet<>();
        answers.forEach((name, answer) -> {
            if (answer.isCompletedExceptionally()) {
                incomplete.add(name);
            } else {
                complete.put(name, answer.join());
            }
        });
        return new Gathered<>(complete, List.copyOf(incomplete));
    }

    /** Returns this service, the live ones, and those that are silent now. */
    public Set<String> knownServices() {
        Set<String> names = new TreeSet<>(knownServices.get());
        wire.directory().stream().map(Announcement::service).forEach(names::add);
        names.add(service.name());
        return names;
    }

    /**
     * Asks all live replicas of the selected services, for state that each of them has. Services are named that have no
     * live replica, or one that fails or does not answer within a second.
     */
    public <Q, A> CompletableFuture<GatheredReplicas<A>> gatherReplicas(
            Endpoint<Q, A> endpoint, Operator operator, Q question, Predicate<String> selected) {
        Map<String, String> replicas = liveReplicas();
        replicas.values().removeIf(selected.negate());
        Set<String> silent = knownServices();
        silent.removeIf(selected.negate());
        silent.removeAll(replicas.values());
        Map<String, CompletableFuture<A>> answers = new TreeMap<>();
        replicas.forEach((replica, owner) -> answers.put(
                replica,
                askReplica(owner, replica, endpoint, operator, question)
                        .orTimeout(GATHER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
                .handle((unused, failure) -> GatheredReplicas.of(replicas, answers, silent));
    }

    /** Returns the service of each live replica, including this one. */
    private Map<String, String> liveReplicas() {
        Map<String, String> replicas = new TreeMap<>();
        wire.directory().forEach(announced -> replicas.put(announced.replica(), announced.service()));
        replicas.put(service.replica(), service.name());
        return replicas;
    }

    private <Q, A> CompletableFuture<A> askLocally(Endpoint<Q, A> endpoint, Operator operator, Q question) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        boolean accepted = threads.execute(() -> {
            try {
                var unused = endpoints.call(endpoint, operator, question).whenComplete((value, failure) -> {
                    if (failure == null) {
                        answer.complete(value);
                    } else {
                        answer.completeExceptionally(Failures.cause(failure));
                    }
                });
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        if (!accepted) {
            answer.completeExceptionally(
                    OperatorProblem.ownerUnavailable(service.name(), "too many requests are waiting"));
        }
        return answer;
    }

    private <Q> OperationRequest request(String owner, Endpoint<Q, ?> endpoint, Operator operator, Q question) {
        return new OperationRequest(
                EventIds.random(clock.instant()), owner, endpoint.name(), Envelope.request(operator, question));
    }

    private static <A> A read(
            String owner, Endpoint<?, A> endpoint, @Nullable String reply, @Nullable Throwable failure) {
        if (failure == null) {
            return Envelope.readReply(Objects.requireNonNull(reply), endpoint.answer());
        }
        Throwable cause = Failures.cause(failure);
        String reason = String.valueOf(cause.getMessage());
        if (cause instanceof UnknownOperationException) {
            throw OperatorProblem.unsupported(owner, endpoint.name());
        }
        if (cause instanceof NoReplyException) {
            throw OperatorProblem.unconfirmed(owner, reason);
        }
        if (cause instanceof WireUnavailableException) {
            throw OperatorProblem.ownerUnavailable(owner, reason);
        }
        if (cause instanceof OperationFailedException retryable) {
            throw retryable;
        }
        throw new CompletionException(cause);
    }

    @Override
    public void close() {
        threads.close();
    }
}
