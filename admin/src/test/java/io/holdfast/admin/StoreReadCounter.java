package io.holdfast.admin;

import io.holdfast.deadletter.DeadLetterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts how much is read of a store. */
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
                        Object answer = method.invoke(store, arguments);
                        count(method.getName(), answer);
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    private void count(String method, Object answer) {
        calls.incrementAndGet();
        if (method.equals("findNewest")) {
            sequences.addAndGet(((Collection<?>) answer).size());
        } else if (answer instanceof Map<?, ?> first) {
            first.values().forEach(each -> letters.addAndGet(((Collection<?>) each).size()));
        } else if (method.equals("findLetters")) {
            letters.addAndGet(((Collection<?>) answer).size());
        }
    }
}
