package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Rejects handlers that are themselves {@code @Transactional} although their component does not declare to write
 * application rows. A separate class, because Spring's transactions are optional.
 */
final class TransactionalHandlerCheck {

    private static final Set<Integer> NON_STARTING_PROPAGATIONS = Set.of(
            TransactionDefinition.PROPAGATION_NEVER,
            TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
            TransactionDefinition.PROPAGATION_SUPPORTS);

    private TransactionalHandlerCheck() {}

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
                ? "its handler " + handler.getName() + " is @Transactional: "
                        + EventComponents.SEPARATE_TRANSACTION_REMEDY
                        + ". If a separate transaction is intended, use REQUIRES_NEW"
                : null;
    }
}
