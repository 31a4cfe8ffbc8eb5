package io.holdfast.tck.harness;

import io.holdfast.deadletter.DeadLetterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts a processor's calls to the dead-letter store and the sequences and letters that they return. Not thread-safe.
 */
public final class LetterCalls {

    private final Map<String, Integer> counts = new TreeMap<>();
    private int returnedCount;

    public DeadLetterStore wrap(DeadLetterStore store) {
        return (DeadLetterStore) Proxy.newProxyInstance(
                LetterCalls.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (proxy, method, arguments) -> {
                    counts.merge(method.getName(), 1, Integer::sum);
                    try {
                        Object result = method.invoke(store, arguments);
                        returnedCount += size(result);
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static int size(Object result) {
        if (result instanceof Collection<?> some) {
            return some.size();
        }
        return result instanceof Map<?, ?> lists
                ? lists.values().stream().mapToInt(LetterCalls::size).sum()
                : 0;
    }

    public void clear() {
        counts.clear();
        returnedCount = 0;
    }

    /** Returns the number of calls by method name. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    /** Returns the total number of sequences and letters that the calls have returned. */
    public int returnedCount() {
        return returnedCount;
    }
}
