package io.holdfast.admin.receipt;

import io.holdfast.RetryableException;
import io.holdfast.admin.gateway.Failures;
import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.OperatorProblem;
import io.holdfast.admin.gateway.ServiceGateway;
import io.holdfast.admin.receipt.ReceiptEndpoints.ReceiptQuestion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Submits actions to their owners, and waits for their receipts. Stores nothing: a repeated submission with the same id
 * returns the stored receipt, through whichever gateway. Never blocks. Thread-safe.
 */
public final class ActionGateway {

    /** How long a request waits for its action; then the receipt is to be read later. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    /** How long an owner may wait before it replies: less than the attempt timeout of requests. */
    static final Duration MAX_WAIT_AT_OWNER = Duration.ofSeconds(1);

    private static final Duration REPLY_MARGIN = Duration.ofMillis(500);

    /** The owner may have died; its other replicas take over. */
    private static final Executor RETRY_LATER =
            CompletableFuture.delayedExecutor(REPLY_MARGIN.toMillis(), TimeUnit.MILLISECONDS);

    private final ServiceGateway gateway;

    public ActionGateway(ServiceGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * Submits an action. The future completes once the action is done, or after {@link #REQUEST_TIMEOUT} with a receipt
     * that still has open items. It fails with an {@link OperatorProblem} if the owner refuses the action, if no replica
     * of the owner is live, or if none has confirmed it ({@code unconfirmed}).
     */
    public CompletableFuture<ReceiptDetails> submit(String owner, Submission submission, Operator operator) {
        long until = System.nanoTime() + REQUEST_TIMEOUT.toNanos();
        return gateway.ask(owner, ReceiptEndpoints.SUBMIT, operator, submission, REQUEST_TIMEOUT)
                .exceptionally(failure -> {
                    throw withReceipt(submission.actionId(), failure);
                })
                .thenCompose(receipt -> await(owner, receipt, operator, until));
    }

    /** The operator needs the id to repeat the request, and to find the receipt. */
    private static RuntimeException withReceipt(String actionId, Throwable failure) {
        OperatorProblem refused = Failures.problem(failure);
        return refused != null && refused.problem().isUnconfirmed()
                ? new OperatorProblem(refused.problem().withReceipt(actionId))
                : Failures.toThrow(failure);
    }

    /** The action is durable: from here on, no failure but the timeout ends the wait. */
    private CompletableFuture<ReceiptDetails> await(
            String owner, ReceiptDetails receipt, Operator operator, long until) {
        Duration left = Duration.ofNanos(until - System.nanoTime());
        if (receipt.isDone() || left.toMillis() <= 0) {
            return CompletableFuture.completedFuture(receipt);
        }
        Duration wait = left.compareTo(MAX_WAIT_AT_OWNER) < 0 ? left : MAX_WAIT_AT_OWNER;
        ReceiptQuestion question = new ReceiptQuestion(receipt.receiptId(), 0, wait.toMillis());
        return gateway.ask(owner, ReceiptEndpoints.READ, operator, question, wait.plus(REPLY_MARGIN))
                .thenApply(answer -> Optional.ofNullable(answer.receipt()).orElseThrow(() -> lost(receipt.receiptId())))
                .exceptionallyCompose(failure -> laterUnlessLost(receipt, failure))
                .thenCompose(read -> await(owner, read, operator, until));
    }

    /** Returns the last receipt after a while, because another replica of the owner may answer then. */
    private static CompletableFuture<ReceiptDetails> laterUnlessLost(ReceiptDetails receipt, Throwable failure) {
        return Failures.cause(failure) instanceof LostActionException lost
                ? CompletableFuture.failedFuture(lost)
                : CompletableFuture.supplyAsync(() -> receipt, RETRY_LATER);
    }

    private static LostActionException lost(String receiptId) {
        return new LostActionException("the store has no action " + receiptId
                + " any more: a failover has lost it; repeat the request with the same Idempotency-Key");
    }

    /** The store failed over, and lost what was staged. */
    private static final class LostActionException extends RetryableException {

        private static final long serialVersionUID = 1L;

        LostActionException(String message) {
            super(message);
        }
    }
}
