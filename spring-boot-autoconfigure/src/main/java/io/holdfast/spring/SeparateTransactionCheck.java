package io.holdfast.spring;

import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Detects transactions of handlers that are not declared to write application rows. Such a transaction commits
 * separately from the position: after a crash between the two commits, the event is handled again and takes effect
 * twice.
 *
 * <p>A handler that is itself {@code @Transactional} fails the startup. A transaction in code that a handler calls is
 * detected at run time and logged once. Components that are resettable or call external systems are exempt: they
 * declare that an event may be handled twice.
 */
final class SeparateTransactionCheck implements HandlerInterceptor, TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(SeparateTransactionCheck.class);

    private static final String REMEDY = "it commits separately from the position, so after a crash between the two"
            + " commits, the event is handled again; declare @EventComponent(writesApplicationRows = true) to commit both"
            + " in one transaction, or resettable = true if the handler is idempotent";

    private static final Set<Integer> NON_STARTING_PROPAGATIONS = Set.of(
            TransactionDefinition.PROPAGATION_NEVER,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_SUPPORTS);

    private static final ThreadLocal<Component> CURRENT_COMPONENT = new ThreadLocal<>();

    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    /** @return the error if the handler starts a separate transaction without declaring it, or null */
    static @Nullable String findError(EventComponent annotation, Method handler, Class<?> type) {
        if (annotation.writesApplicationRows() || annotation.resettable() || annotation.callsOutside()) {
            return null;
        }
        TransactionAttribute attribute =
                new AnnotationTransactionAttributeSource(false).getTransactionAttribute(handler, type);
        boolean startsTransaction = attribute != null
                && !attribute.isReadOnly()
                && attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_REQUIRES_NEW
                && !NON_STARTING_PROPAGATIONS.contains(attribute.getPropagationBehavior());
        return startsTransaction
                ? "its handler " + handler.getName() + " is @Transactional: " + REMEDY
                        + ". If a separate transaction is intended, use REQUIRES_NEW"
                : null;
    }

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
            log.warn("Component {} ran transaction {}: {}", component, transaction, REMEDY);
        }
    }
}
