package io.holdfast.benchmarks;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts and times the statements of a DataSource. Each one is a round trip to the server. */
final class CountedCalls {

    /** The name under which commits are counted. */
    static final String COMMIT = "commit";

    private static final int MAX_SQL_LENGTH = 105;

    private final Map<String, Calls> calls = new ConcurrentHashMap<>();

    DataSource wrap(DataSource dataSource) {
        return proxy(DataSource.class, dataSource, "");
    }

    /** Returns the calls by statement. */
    Map<String, Calls> calls() {
        return new TreeMap<>(calls);
    }

    void reset() {
        calls.clear();
    }

    private <T> T proxy(Class<T> type, Object target, String sql) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(target, method, arguments == null ? new Object[0] : arguments, sql)));
    }

    private @Nullable Object call(Object target, Method method, Object[] arguments, String sql) throws Throwable {
        String name = method.getName();
        long before = System.nanoTime();
        Object result;
        try {
            result = method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
        if (name.startsWith("execute")) {
            count(arguments.length > 0 && arguments[0] instanceof String given ? given : sql, before, result);
        } else if (name.equals(COMMIT)) {
            count(COMMIT, before, result);
        }
        return switch (name) {
            case "getConnection" -> target instanceof DataSource ? proxy(Connection.class, result, "") : result;
            case "prepareStatement" -> proxy(PreparedStatement.class, result, (String) arguments[0]);
            case "createStatement" -> proxy(Statement.class, result, "");
            default -> result;
        };
    }

    private void count(String what, long before, @Nullable Object result) {
        Calls counted = calls.computeIfAbsent(what, any -> new Calls());
        counted.count.increment();
        counted.nanoseconds.add(System.nanoTime() - before);
        counted.rows.add(
                result instanceof int[] batch ? batch.length : result instanceof Integer updated ? updated : 0);
    }

    /** Keeps the start and the end, because statements that read the same columns differ in their conditions. */
    static String abbreviate(String sql) {
        return sql.length() <= MAX_SQL_LENGTH ? sql : sql.substring(0, 40) + " ... " + sql.substring(sql.length() - 60);
    }

    /** The number of calls, their total duration, and the rows that they wrote. */
    static final class Calls {

        private final LongAdder count = new LongAdder();
        private final LongAdder nanoseconds = new LongAdder();
        private final LongAdder rows = new LongAdder();

        long count() {
            return count.sum();
        }

        double milliseconds() {
            return nanoseconds.sum() / 1e6;
        }

        long rows() {
            return rows.sum();
        }
    }
}
