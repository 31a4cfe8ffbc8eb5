package io.holdfast.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a handler cannot end the transaction: only the engine does. Statements and results are guarded
 * too. They lead back to the connection, and a thread that user code has interrupted must not touch H2 through them.
 */
final class GuardedConnection implements InvocationHandler {

    private static final Set<String> TRANSACTION_METHODS =
            Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

    private final Object target;
    private final @Nullable Object connection;
    private final Dialect dialect;
    private final Consumer<SQLException> failures;

    private GuardedConnection(
            Object target, @Nullable Object connection, Dialect dialect, Consumer<SQLException> failures) {
        this.target = target;
        this.connection = connection;
        this.dialect = dialect;
        this.failures = failures;
    }

    /** @param failures receives the errors that the database returns */
    static Connection of(Connection connection, Dialect dialect, Consumer<SQLException> failures) {
        return proxy(Connection.class, new GuardedConnection(connection, null, dialect, failures));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        if (target instanceof Connection && endsTransaction(method)) {
            throw new SQLException(method.getName() + " was called on the connection of a handler's transaction;"
                    + " only the engine ends it, together with the position. Leave it open, and throw an exception"
                    + " to roll back");
        }
        dialect.clearInterrupt();
        try {
            return guarded(proxy, method.getReturnType(), method.invoke(target, arguments));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException failure) {
                failures.accept(failure);
            }
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** A handler may roll back to its own savepoints. */
    private static boolean endsTransaction(Method method) {
        boolean isToSavepoint = method.getParameterCount() == 1 && method.getParameterTypes()[0] == Savepoint.class;
        return TRANSACTION_METHODS.contains(method.getName()) && !isToSavepoint;
    }

    private @Nullable Object guarded(Object proxy, Class<?> type, @Nullable Object result) {
        Object owner = connection == null ? proxy : connection;
        if (result instanceof Connection && type == Connection.class) {
            return owner;
        }
        boolean isGuarded = type.isInterface()
                && (Statement.class.isAssignableFrom(type)
                        || type == ResultSet.class
                        || type == DatabaseMetaData.class);
        return result == null || !isGuarded
                ? result
                : proxy(type, new GuardedConnection(result, owner, dialect, failures));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(GuardedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
