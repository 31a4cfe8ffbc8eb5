package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.DeadLetterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the reads of a store. */
final class StoreReadCounter {

    final AtomicLong calls = new AtomicLong();
    final AtomicLong sequences = new AtomicLong();
    final AtomicLong letters = new AtomicLong();

    DeadLetterStore wrap(DeadLetterStore store) {
        return (DeadLetterStore) Proxy.newProxyInstance(
                DeadLetterStore.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(store, arguments);
                        count(method.getName(), result);
                        return result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    private void count(String method, Object result) {
        calls.incrementAndGet();
        if (method.equals("findNewest")) {
            sequences.addAndGet(((Collection<?>) result).size());
        } else if (result instanceof Map<?, ?> first) {
            first.values().forEach(each -> letters.addAndGet(((Collection<?>) each).size()));
        } else if (method.equals("findLetters")) {
            letters.addAndGet(((Collection<?>) result).size());
        }
    }
}
