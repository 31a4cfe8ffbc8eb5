package io.holdfast.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Connections as from a pool that restores nothing: remembers in which state each one comes back. */
final class RememberingDataSource {

    private static final int SERIALIZABLE = Connection.TRANSACTION_SERIALIZABLE;

    final List<Integer> networkTimeouts = new CopyOnWriteArrayList<>();
    final List<Integer> isolationLevels = new CopyOnWriteArrayList<>();
    private final DataSource target;

    RememberingDataSource(DataSource target) {
        this.target = target;
    }

    DataSource proxy() {
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    Connection connection = target.getConnection();
                    connection.setTransactionIsolation(SERIALIZABLE);
                    return proxy(connection);
                });
    }

    private Connection proxy(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close") && !connection.isClosed()) {
                        networkTimeouts.add(connection.getNetworkTimeout());
                        isolationLevels.add(connection.getTransactionIsolation());
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
