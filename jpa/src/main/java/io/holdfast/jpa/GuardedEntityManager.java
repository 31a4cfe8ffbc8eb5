package io.holdfast.jpa;

import jakarta.persistence.EntityTransaction;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.jspecify.annotations.Nullable;

/** An EntityManager on which a handler cannot end the transaction: only the engine does. */
final class GuardedEntityManager implements InvocationHandler {

    private static final Set<String> TRANSACTION_METHODS =
            Set.of("begin", "beginTransaction", "commit", "rollback", "close");

    private final Object target;
    private boolean isInvalid;

    /** @param target a session or its transaction */
    GuardedEntityManager(Object target) {
        this.target = target;
    }

    Session session() {
        return proxy(Session.class, this);
    }

    /** Rejects all further calls: their writes would be lost. */
    void invalidate() {
        isInvalid = true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        if (TRANSACTION_METHODS.contains(method.getName())) {
            throw new IllegalStateException(
                    method.getName() + " was called on the EntityManager of a handler's transaction; only the engine"
                            + " ends it, together with the position. Leave it open, and throw an exception to roll"
                            + " back");
        }
        if (isInvalid && !method.getName().equals("isOpen")) {
            throw new IllegalStateException(method.getName() + " was called on the EntityManager of an event that was"
                    + " already handled; get a new one from the context of each event");
        }
        try {
            Object result = method.invoke(target, arguments);
            if (result == target) {
                return proxy;
            }
            return result instanceof EntityTransaction transaction
                    ? proxy(Transaction.class, new GuardedEntityManager(transaction))
                    : result;
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(GuardedEntityManager.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
