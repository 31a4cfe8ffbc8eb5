package io.holdfast.admin.directory;

import io.holdfast.admin.directory.ForgetService.Outcome;
import io.holdfast.admin.directory.ServiceDetails.ReplicaDetails;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.GatheredReplicas;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.Role;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.Announcement;
import io.holdfast.wire.KnownService;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lists the services that this one has seen, and forgets those that no longer exist. Thread-safe. */
public final class ServiceDirectory implements EndpointRegistrar {

    private final HoldfastService service;
    private final ServiceGateway gateway;

    public ServiceDirectory(HoldfastService service, ServiceGateway gateway) {
        this.service = service;
        this.gateway = gateway;
    }

    /** Returns this service, the live ones, and those that are silent, ordered by name. Reads no store. */
    public List<ServiceDetails> all() {
        Map<String, List<ReplicaDetails>> live = live();
        Map<String, KnownService> known =
                service.knownServices().stream().collect(Collectors.toMap(KnownService::name, Function.identity()));
        Set<String> names = new TreeSet<>(known.keySet());
        names.addAll(live.keySet());
        names.add(service.name());
        return names.stream()
                .map(name -> describe(name, live.getOrDefault(name, List.of()), known.get(name)))
                .toList();
    }

    private ServiceDetails describe(String name, List<ReplicaDetails> replicas, @Nullable KnownService known) {
        boolean isLive = !replicas.isEmpty() || name.equals(service.name());
        return new ServiceDetails(
                name,
                isLive,
                known == null ? null : known.firstSeen(),
                known == null || isLive ? null : known.lastSeen(),
                replicas);
    }

    private Map<String, List<ReplicaDetails>> live() {
        return service.wire().directory().stream()
                .sorted(Comparator.comparing(Announcement::replica))
                .collect(Collectors.groupingBy(
                        Announcement::service,
                        TreeMap::new,
                        Collectors.mapping(ReplicaDetails::of, Collectors.toList())));
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        endpoints.serve(
                ForgetService.ENDPOINT,
                (operator, question) -> new ForgetService.Answer(forgetHere(operator, question.name())));
    }

    private Outcome forgetHere(Operator operator, String name) {
        requireRole(operator);
        if (isLive(name)) {
            return Outcome.LIVE;
        }
        return service.forgetService(name) ? Outcome.FORGOTTEN : Outcome.UNKNOWN;
    }

    private boolean isLive(String name) {
        return name.equals(service.name()) || live().containsKey(name);
    }

    /**
     * Makes all live services forget a silent one, so that lists no longer name it. Idempotent.
     *
     * @return the services that may still know it, because one of their replicas did not answer. The future fails with
     *     an {@link OperatorProblem} if the service is live, or no service knows it
     */
    public CompletableFuture<List<String>> forget(String name, Operator operator) {
        requireRole(operator);
        if (isLive(name)) {
            return CompletableFuture.failedFuture(live(name));
        }
        return gateway.gatherReplicas(
                        ForgetService.ENDPOINT, operator, new ForgetService(name), other -> !other.equals(name))
                .thenApply(gathered -> stillKnownBy(name, gathered));
    }

    private static List<String> stillKnownBy(String name, GatheredReplicas<ForgetService.Answer> gathered) {
        Set<Outcome> outcomes = gathered.answers().stream()
                .map(replica -> replica.answer().outcome())
                .collect(Collectors.toSet());
        if (outcomes.contains(Outcome.LIVE)) {
            throw live(name);
        }
        if (!outcomes.contains(Outcome.FORGOTTEN)) {
            throw unknown(name, gathered.incomplete());
        }
        return gathered.incomplete();
    }

    private static void requireRole(Operator operator) {
        if (!operator.role().includes(Role.OPERATOR)) {
            throw OperatorProblem.of(
                    403,
                    "role-required",
                    "Not permitted",
                    operator.name() + " has the role " + operator.role() + ", but forgetting a service requires "
                            + Role.OPERATOR,
                    "Ask an operator with the role " + Role.OPERATOR);
        }
    }

    private static OperatorProblem live(String name) {
        return OperatorProblem.of(
                409,
                "service-live",
                "Service is live",
                "service " + name + " announces itself; only a silent service can be forgotten",
                "Stop its replicas first, and wait until GET /api/admin/services lists it as silent");
    }

    private static OperatorProblem unknown(String name, List<String> incomplete) {
        String silent = incomplete.isEmpty() ? "" : "; not asked, because they do not answer: " + incomplete;
        return OperatorProblem.of(
                404,
                "service-unknown",
                "Service not found",
                "no service knows a service " + name + silent,
                "GET /api/admin/services lists the known services");
    }
}
