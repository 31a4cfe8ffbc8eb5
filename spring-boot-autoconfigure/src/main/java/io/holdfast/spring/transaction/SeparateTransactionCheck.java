package io.holdfast.spring.transaction;

import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.spring.EventComponents;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Detects transactions of handlers that are not declared to write application rows. Such a transaction commits
 * separately from the position: after a crash between the two commits, the event is handled again and takes effect
 * twice.
 *
 * <p>A transaction in code that a handler calls is detected at run time and logged once. A handler that is itself
 * {@code @Transactional} has failed the startup. Components that are resettable or call external systems are exempt:
 * they declare that an event may be handled twice.
 */
final class SeparateTransactionCheck implements HandlerInterceptor, TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(SeparateTransactionCheck.class);

    private static final ThreadLocal<Component> CURRENT_COMPONENT = new ThreadLocal<>();

    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable CompletionStage<?> around(
            Component component, String componentId, EventContext context, Call handler) throws Exception {
        if (component.rowsIn().isPresent() || component.isResettable() || component.callsOutside()) {
            return handler.call();
        }
        CURRENT_COMPONENT.set(component);
        try {
            return handler.call();
        } finally {
            CURRENT_COMPONENT.remove();
        }
    }

    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        Component component = CURRENT_COMPONENT.get();
        if (component != null && beginFailure == null && transaction.isNewTransaction() && !transaction.isReadOnly()) {
            warnOnce(component.name(), transaction.getTransactionName());
        }
    }

    private void warnOnce(String component, String transaction) {
        if (warnedOf.add(component + " " + transaction)) {
            log.warn(
                    "Component {} ran transaction {}: {}",
                    component,
                    transaction,
                    EventComponents.SEPARATE_TRANSACTION_REMEDY);
        }
    }
}
