package io.holdfast.spring;

import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.HandlerInterceptor;
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
 * Finds transactions of handlers that do not keep rows. Such a transaction commits apart from the position: after a crash
 * between the two the event is handled again, and has happened twice.
 *
 * <p>A handler that is {@code @Transactional} itself is a mistake that is found at the start. What a handler calls is seen when
 * it is called, and warned of once. Components for which handling an event twice is right, or which call outside, have said that
 * they know.
 */
final class SeparateTransactionCheck implements HandlerInterceptor, TransactionExecutionListener {

    private static final Logger log = LoggerFactory.getLogger(SeparateTransactionCheck.class);

    private static final String REMEDY = "it commits apart from the position, and after a crash between the two the"
            + " event is handled again; say @EventComponent(writesApplicationRows = true), so that both are one transaction, or"
            + " replayable = true if handling an event twice is as handling it once";

    private static final Set<Integer> NON_STARTING_PROPAGATIONS = Set.of(
            TransactionDefinition.PROPAGATION_NEVER,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_SUPPORTS);

    private static final ThreadLocal<Component> CURRENT_COMPONENT = new ThreadLocal<>();

    private final Set<String> warnedOf = ConcurrentHashMap.newKeySet();

    /** @return what is wrong with a handler of a component that does not keep rows, if anything */
    static @Nullable String findError(EventComponent annotation, Method handler, Class<?> type) {
        if (annotation.writesApplicationRows() || annotation.resettable() || annotation.callsOutside()) {
            return null;
        }
        TransactionAttribute attribute =
                new AnnotationTransactionAttributeSource(false).getTransactionAttribute(handler, type);
        boolean begins = attribute != null
                && !attribute.isReadOnly()
                && attribute.getPropagationBehavior() != TransactionDefinition.PROPAGATION_REQUIRES_NEW
                && !NON_STARTING_PROPAGATIONS.contains(attribute.getPropagationBehavior());
        return begins
                ? "its handler " + handler.getName() + " is @Transactional: " + REMEDY
                        + ". A transaction that is meant to be apart says REQUIRES_NEW"
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
            log.warn("component {} has run transaction {}: {}", component, transaction, REMEDY);
        }
    }
}
