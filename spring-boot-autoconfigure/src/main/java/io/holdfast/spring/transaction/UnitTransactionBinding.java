package io.holdfast.spring.transaction;

import io.holdfast.PermanentException;
import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * Binds the transaction of a commit unit as Spring's current one while a handler that writes application rows runs.
 * {@code JdbcTemplate} and {@code @Transactional} methods join it, and it commits later, with effects and position. A
 * {@code REQUIRES_NEW} method gets its own transaction.
 *
 * <p>The unit commits after the handler has returned, together with others. Transaction synchronizations therefore
 * complete with an unknown status; to trigger something after the commit, use an effect of the event.
 */
class UnitTransactionBinding implements HandlerInterceptor {

    private final DataSource dataSource;

    UnitTransactionBinding(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public @Nullable CompletionStage<?> around(
            Component component, String componentId, EventContext context, Call handler) throws Exception {
        return component.rowsIn().isEmpty() ? handler.call() : callInTransaction(component, holders(context), handler);
    }

    /** Returns the resources to bind to the thread, by the keys that Spring uses. */
    Map<Object, ResourceHolderSupport> holders(EventContext context) {
        return Map.of(dataSource, new ConnectionHolder(context.resource(Connection.class), true));
    }

    private static @Nullable CompletionStage<?> callInTransaction(
            Component component, Map<Object, ResourceHolderSupport> holders, Call handler) throws Exception {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            holders.forEach(TransactionSynchronizationManager::bindResource);
            CompletionStage<?> stage = handler.call();
            if (holders.values().stream().anyMatch(ResourceHolderSupport::isRollbackOnly)) {
                throw new PermanentException("a @Transactional method that component " + component.name()
                        + " called failed or marked its transaction rollback-only, but the handler completed; its writes"
                        + " are rolled back. Let the exception propagate out of the handler, or run the method in its own"
                        + " transaction with REQUIRES_NEW");
            }
            TransactionSynchronizationUtils.triggerBeforeCommit(false);
            return stage;
        } finally {
            unbind(holders);
        }
    }

    /** Unbinds everything in any case, because other handlers run on the same thread. */
    private static void unbind(Map<Object, ResourceHolderSupport> holders) {
        TransactionSynchronizationUtils.triggerBeforeCompletion();
        List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
        holders.keySet().forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
        TransactionSynchronizationManager.clear();
        TransactionSynchronizationUtils.invokeAfterCompletion(
                synchronizations, TransactionSynchronization.STATUS_UNKNOWN);
    }
}
