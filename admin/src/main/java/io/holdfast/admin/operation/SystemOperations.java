package io.holdfast.admin.operation;

import io.holdfast.admin.gateway.GatheredList;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ActionGateway;
import io.holdfast.admin.receipt.ReceiptDetails;
import io.holdfast.admin.receipt.Receipts;
import io.holdfast.admin.receipt.Submission;
import io.holdfast.admin.saga.SagaEndings;
import io.holdfast.admin.stream.GroupDetails;
import io.holdfast.admin.stream.StreamListing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Submits operations on parts of the system to the services that own them. Never blocks. Thread-safe. */
public final class SystemOperations {

    private final ServiceGateway gateway;
    private final ActionGateway actions;
    private final Receipts receipts;
    private final SagaEndings sagas;
    private final StreamListing streams;

    public SystemOperations(
            ServiceGateway gateway,
            ActionGateway actions,
            Receipts receipts,
            SagaEndings sagas,
            StreamListing streams) {
        this.gateway = gateway;
        this.actions = actions;
        this.receipts = receipts;
        this.sagas = sagas;
        this.streams = streams;
    }

    /**
     * Submits an operation, and waits for its outcome as {@link ActionGateway#submit} does. Fails with an
     * {@link OperatorProblem} if no such service is known.
     */
    public CompletableFuture<ReceiptDetails> submit(String service, Submission submission, Operator operator) {
        return gateway.knownServices().contains(service)
                ? actions.submit(service, submission, operator)
                : CompletableFuture.failedFuture(SystemProblems.unknownService(service));
    }

    /** Submits a decision about a saga to the service that tracks it. */
    public CompletableFuture<ReceiptDetails> submitToTracker(String sagaId, Submission submission, Operator operator) {
        return sagas.findTracker(sagaId, operator).thenCompose(found -> {
            String tracker = found.service().orElseThrow(() -> SystemProblems.unknownSaga(sagaId, found.incomplete()));
            return actions.submit(tracker, submission, operator);
        });
    }

    /**
     * Submits the removal of a consumer group to the source that it reads.
     *
     * @param selected the sources that are considered
     */
    public CompletableFuture<ReceiptDetails> submitToSource(
            String group, Predicate<String> selected, Submission submission, Operator operator) {
        return streams.groups(operator, selected)
                .thenCompose(found -> {
                    List<String> sources = sources(group, found);
                    return sources.isEmpty()
                            ? earlier(group, found, submission, operator)
                            : CompletableFuture.completedFuture(requireOne(group, sources));
                })
                .thenCompose(source -> actions.submit(source, submission, operator));
    }

    private static List<String> sources(String group, GatheredList<GroupDetails> found) {
        return found.entries().stream()
                .filter(registered -> registered.name().equals(group))
                .map(GroupDetails::service)
                .distinct()
                .toList();
    }

    /** The group of a repeated request is gone, if the first one has succeeded. */
    private CompletableFuture<String> earlier(
            String group, GatheredList<GroupDetails> found, Submission submission, Operator operator) {
        return receipts.find(submission.actionId(), 0, operator)
                .thenApply(receipt -> receipt.receipt().parts().get(0).service())
                .exceptionally(failure -> {
                    throw SystemProblems.unknownGroup(group, "any source" + SystemProblems.silent(found.incomplete()));
                });
    }

    private static String requireOne(String group, List<String> sources) {
        if (sources.size() > 1) {
            throw OperatorProblem.of(
                    409,
                    "several-sources",
                    "Group has several sources",
                    "group " + group + " is registered at " + String.join(", ", sources),
                    "Repeat the request for each of them, with the parameter service");
        }
        return sources.get(0);
    }
}
