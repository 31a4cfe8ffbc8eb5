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
 * Lends the connection of a unit's transaction to a handler's session. The session must not end the transaction. It is
 * still notified of the outcome, and then commits or rolls back a transaction that has already ended.
 */
final class BorrowedConnection implements InvocationHandler {

    private static final Set<String> TRANSACTION_METHODS =
            Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

    private final Connection guarded;
    private boolean isDetached;

    /** @param guarded a connection that rejects calls that end the transaction */
    BorrowedConnection(Connection guarded) {
        this.guarded = guarded;
    }

    Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                BorrowedConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** Ignores all further calls: the transaction has ended, or the session's writes were rolled back. */
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
                // Hibernate would treat an SQLException as a database error, and the transaction as lost.
                throw new IllegalStateException(rejection.getMessage(), rejection);
            }
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    private static boolean disablesAutoCommit(Method method, @Nullable Object @Nullable [] arguments) {
        return method.getName().equals("setAutoCommit") && arguments != null && Boolean.FALSE.equals(arguments[0]);
    }
}
