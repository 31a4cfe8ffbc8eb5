package io.holdfast.admin.receipt;

import io.holdfast.action.Action;
import io.holdfast.action.Action.Kind;
import io.holdfast.action.LetterItem;
import io.holdfast.action.Receipt;
import io.holdfast.action.ReceiptQuery;
import io.holdfast.action.Requester;
import io.holdfast.action.Staging;
import io.holdfast.admin.gateway.EndpointRegistrar;
import io.holdfast.admin.gateway.Failures;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.OwnerEndpoints;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptAnswer;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptList;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptQuestion;
import io.holdfast.service.HoldfastService;
import io.holdfast.wire.OperationThreads;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the actions that this service owns: checks the operator's role, lets a handler check the request, stores the
 * action, and answers with its receipt. The replica that executes the action may be another one. Thread-safe.
 */
public final class ActionOwner implements EndpointRegistrar, AutoCloseable {

    private final HoldfastService service;
    private final List<ActionHandler> handlers;
    private final boolean alwaysRequiresReason;
    private final OperationThreads threads;
    private final Executor executor;
    private final ReceiptReader receipts;
    private final StagedSignal signal;
    private final AuditLog audit = new AuditLog();

    /** @param alwaysRequiresReason {@code framework.operations.require-reason} */
    public ActionOwner(
            HoldfastService service,
            ServiceGateway gateway,
            List<ActionHandler> handlers,
            boolean alwaysRequiresReason) {
        this.service = service;
        this.signal = new StagedSignal(service, gateway);
        this.handlers = List.copyOf(handlers);
        this.alwaysRequiresReason = alwaysRequiresReason;
        this.threads = new OperationThreads("actions-" + service.replica());
        this.executor = work -> {
            if (!threads.execute(work)) {
                throw new RejectedExecutionException("too many requests of operators are waiting");
            }
        };
        this.receipts = new ReceiptReader(service, executor);
    }

    @Override
    public void register(OwnerEndpoints endpoints) {
        signal.register(endpoints);
        endpoints.serveLater(ReceiptEndpoints.SUBMIT, this::submit);
        endpoints.serveLater(ReceiptEndpoints.READ, (operator, question) -> read(question));
        endpoints.serve(ReceiptEndpoints.FIND, (operator, filter) -> find(filter));
        endpoints.serve(ReceiptEndpoints.STOP, this::stop);
    }

    private CompletableFuture<ReceiptDetails> submit(Operator operator, Submission submission) {
        Kind kind = kind(submission.kind());
        Permissions.requireRole(operator, kind, submission.force());
        Permissions.requireReason(submission, kind, alwaysRequiresReason);
        Action request = request(kind, submission, operator);
        return known(request)
                .map(CompletableFuture::completedFuture)
                .orElseGet(() -> prepareAndStage(request, submission, operator))
                .thenComposeAsync(this::shortlyAfter, executor);
    }

    private static Kind kind(String name) {
        return Arrays.stream(Kind.values())
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow(() -> OperatorProblem.of(
                        503,
                        "unsupported",
                        "Not supported by this version",
                        "this replica does not know the action " + name,
                        "Nothing was done. Repeat the request when a newer version of the service is running"));
    }

    private static Action request(Kind kind, Submission submission, Operator operator) {
        return Action.of(
                        submission.actionId(),
                        kind,
                        submission.target(),
                        RequestHash.of(submission.content()),
                        requester(operator, submission.reason()),
                        List.of())
                .withOptions(Objects.requireNonNull(submission.options()));
    }

    private static Requester requester(Operator operator, @Nullable String reason) {
        Operator.Via via = operator.via();
        return new Requester(
                operator.name(),
                operator.role().name(),
                reason,
                new Requester.Via(via.service(), via.replica(), via.address()));
    }

    /** A repeated request must not be checked again: its letter may be gone, because the action has succeeded. */
    private Optional<Receipt> known(Action request) {
        return receipts.find(request.id()).map(receipt -> requireSame(request, receipt));
    }

    private static Receipt requireSame(Action request, Receipt receipt) {
        if (!receipt.requestHash().equals(request.requestHash())) {
            throw new OperatorProblem(new OperatorProblem.Problem(
                    422,
                    "key-reused",
                    "Idempotency-Key reused",
                    "the Idempotency-Key was used for another request: " + receipt.kind() + " of " + receipt.target(),
                    "Use a new key for each request, and the same one only to repeat a request",
                    receipt.action()));
        }
        return receipt;
    }

    private CompletableFuture<Receipt> prepareAndStage(Action request, Submission submission, Operator operator) {
        ActionHandler handler = handlers.stream()
                .filter(each -> each.handles(request.kind()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no handler prepares actions of kind " + request.kind()));
        return prepare(handler, request, submission, operator)
                .thenApplyAsync(action -> stage(action, operator), executor)
                .exceptionally(failure -> sameInTheMeantime(request, failure))
                .whenComplete((receipt, failure) -> audit.log(request, receipt, failure));
    }

    private static CompletableFuture<Action> prepare(
            ActionHandler handler, Action request, Submission submission, Operator operator) {
        try {
            return handler.prepare(request, submission.force(), operator);
        } catch (OperatorProblem refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** Two gateways may have sent the same request at once; the first one has succeeded. */
    private Receipt sameInTheMeantime(Action request, Throwable failure) {
        return Optional.ofNullable(Failures.problem(failure))
                .flatMap(refused -> known(request))
                .orElseThrow(() -> Failures.toThrow(failure));
    }

    private Receipt stage(Action action, Operator operator) {
        Staging staging = processor(action)
                .map(name -> service.processor(name).stage(action))
                .orElseGet(() -> service.stage(action));
        if (staging instanceof Staging.InProgress other) {
            throw inProgress(action, other.action());
        }
        if (staging instanceof Staging.OtherRequest other) {
            return requireSame(action, other.receipt());
        }
        signal.send(operator);
        return staging instanceof Staging.Known known ? known.receipt() : ((Staging.Staged) staging).receipt();
    }

    private Optional<String> processor(Action action) {
        return action.items().stream()
                .findFirst()
                .flatMap(item -> item instanceof LetterItem letter ? Optional.of(letter.consumer()) : Optional.empty())
                .filter(service.processors()::containsKey);
    }

    private static OperatorProblem inProgress(Action action, String other) {
        return new OperatorProblem(new OperatorProblem.Problem(
                409,
                "in-progress",
                "In progress",
                "another action on " + action.target() + " is in progress",
                "Nothing was done. GET /api/admin/receipts/" + other + " shows its outcome",
                other));
    }

    private CompletableFuture<ReceiptDetails> shortlyAfter(Receipt staged) {
        return receipts.await(staged.action(), ActionGateway.MAX_WAIT_AT_OWNER)
                .thenApplyAsync(
                        receipt -> receipts.details(receipts.require(staged.action(), receipt.orElse(null)), 0),
                        executor);
    }

    private CompletableFuture<ReceiptAnswer> read(ReceiptQuestion question) {
        Duration wait = Duration.ofMillis(Math.min(question.waitMs(), ActionGateway.MAX_WAIT_AT_OWNER.toMillis()));
        return receipts.await(question.receiptId(), wait)
                .thenApplyAsync(receipt -> answer(receipt.orElse(null), question.fromItem()), executor);
    }

    private ReceiptAnswer answer(@Nullable Receipt receipt, int fromItem) {
        return new ReceiptAnswer(receipt == null ? null : receipts.details(receipt, fromItem));
    }

    private ReceiptList find(ReceiptFilter filter) {
        if (filter.kind() != null
                && Arrays.stream(Kind.values()).noneMatch(kind -> kind.name().equals(filter.kind()))) {
            return new ReceiptList(List.of());
        }
        ReceiptFilter.Cursor after = filter.after();
        ReceiptQuery query = ReceiptQuery.newest(filter.limit())
                .byOperator(filter.operator())
                .ofKind(filter.kind() == null ? null : Kind.valueOf(filter.kind()))
                .ofTarget(filter.target())
                .whichAreOpen(filter.isOpen())
                .between(filter.from(), filter.to())
                .after(after == null ? null : new ReceiptQuery.Cursor(after.requestedAt(), after.receiptId()));
        return new ReceiptList(service.actions().findReceipts(query).stream()
                .map(receipt -> ReceiptDetailsMapping.of(service.name(), receipt, List.of()))
                .toList());
    }

    private ReceiptAnswer stop(Operator operator, ReceiptQuestion question) {
        Permissions.requireRole(operator, Kind.REPLAY, false);
        Optional<Receipt> stopped =
                service.actions().stop(question.receiptId(), requester(operator, null), service.replica());
        stopped.ifPresent(receipt -> audit.stopped(receipt, operator));
        return answer(stopped.orElse(null), 0);
    }

    @Override
    public void close() {
        threads.close();
    }
}
