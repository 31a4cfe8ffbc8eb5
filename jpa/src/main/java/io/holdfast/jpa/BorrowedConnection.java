package io.holdfast.jpa;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a unit's transaction as the session of handlers has it. That session must not end the transaction, but it
 * has to be told how the transaction ended, and then wants to commit or roll back what is over.
 */
final class BorrowedConnection implements InvocationHandler {

    private static final Set<String> TRANSACTION_METHODS =
            Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

    private final Connection guarded;
    private boolean isDetached;

    /** @param guarded refuses to be ended */
    BorrowedConnection(Connection guarded) {
        this.guarded = guarded;
    }

    Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                BorrowedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** The transaction has ended, or what the session wrote is undone: whatever it does now does nothing. */
    void detach() {
        isDetached = true;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (isDetached || disablesAutoCommit(method, arguments)) {
            return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
        }
        try {
            return method.invoke(guarded, arguments);
        } catch (InvocationTargetException e) {
            if (TRANSACTION_METHODS.contains(method.getName()) && e.getCause() instanceof SQLException rejection) {
                // Hibernate would take a refusal for an error of the database, and the transaction for lost.
                throw new IllegalStateException(rejection.getMessage(), rejection);
            }
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static boolean disablesAutoCommit(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().equals("setAutoCommit") && arguments != null && Boolean.FALSE.equals(arguments[0]);
    }
}
