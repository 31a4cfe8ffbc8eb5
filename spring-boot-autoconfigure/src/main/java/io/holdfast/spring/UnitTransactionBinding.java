package io.holdfast.spring;

import io.holdfast.PermanentException;
import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.HandlerInterceptor;
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
 * Shows the transaction of a unit to Spring as the current one while a handler that keeps rows runs: {@code JdbcTemplate} and
 * {@code @Transactional} methods write in it, and it is committed later, together with effects and position. A method with
 * {@code REQUIRES_NEW} has a transaction of its own.
 *
 * <p>The unit is committed after the handler has ended, together with others. What is registered to happen after the commit is
 * therefore told that the outcome is unknown; effects of the event are the way to make something happen after it.
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

    /** What is bound to the thread, by what Spring looks for it under. */
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
                        + " has called failed, or has marked its transaction for rollback, and the handler went on; what"
                        + " it wrote is undone. Let the exception out of the handler, or give the method a transaction of"
                        + " its own by REQUIRES_NEW");
            }
            TransactionSynchronizationUtils.triggerBeforeCommit(false);
            return stage;
        } finally {
            unbind(holders);
        }
    }

    /** Whatever has happened, the thread must not keep anything of it: other handlers run on it. */
    private static void unbind(Map<Object, ResourceHolderSupport> holders) {
        TransactionSynchronizationUtils.triggerBeforeCompletion();
        List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
        holders.keySet().forEach(TransactionSynchronizationManager::unbindResourceIfPossible);
        TransactionSynchronizationManager.clear();
        TransactionSynchronizationUtils.invokeAfterCompletion(
                synchronizations, TransactionSynchronization.STATUS_UNKNOWN);
    }
}
