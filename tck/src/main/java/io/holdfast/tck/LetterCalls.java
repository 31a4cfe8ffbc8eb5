package io.holdfast.tck;

import io.holdfast.deadletter.DeadLetterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Counts what a processor asks the store of letters for, and how much it is given. For one thread. */
final class LetterCalls {

    private final Map<String, Integer> counts = new TreeMap<>();
    private int returnedCount;

    DeadLetterStore wrap(DeadLetterStore store) {
        return (DeadLetterStore) Proxy.newProxyInstance(
                LetterCalls.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (proxy, method, arguments) -> {
                    counts.merge(method.getName(), 1, Integer::sum);
                    try {
                        Object answer = method.invoke(store, arguments);
                        returnedCount += size(answer);
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private static int size(Object answer) {
        if (answer instanceof Collection<?> some) {
            return some.size();
        }
        return answer instanceof Map<?, ?> lists
                ? lists.values().stream().mapToInt(LetterCalls::size).sum()
                : 0;
    }

    void clear() {
        counts.clear();
        returnedCount = 0;
    }

    /** How often each was called. */
    Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    /** How many sequences and letters the answers had, all together. */
    int returnedCount() {
        return returnedCount;
    }
}
