package io.holdfast.processing;

import io.holdfast.deadletter.DeadLetterStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Wraps a dead-letter store: records its calls, and fails or delays those that are listed by name. */
final class FailingLetterStore {

    final Map<String, RuntimeException> failing = new HashMap<>();
    /** How many calls succeed before they fail. */
    final Map<String, Integer> successesBeforeFailure = new HashMap<>();

    /** What happens after the next call, by name, before the caller gets the result. */
    final Map<String, Runnable> afterwards = new HashMap<>();

    final List<String> calls = new ArrayList<>();
    private final DeadLetterStore letters;

    FailingLetterStore(DeadLetterStore letters) {
        this.letters = letters;
    }

    DeadLetterStore store() {
        return (DeadLetterStore) Proxy.newProxyInstance(
                FailingLetterStore.class.getClassLoader(),
                new Class<?>[] {DeadLetterStore.class},
                (proxy, method, arguments) -> call(method, arguments));
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        calls.add(method.getName());
        RuntimeException failure = failing.get(method.getName());
        if (failure != null && successesBeforeFailure.merge(method.getName(), -1, Integer::sum) < 0) {
            throw failure;
        }
        try {
            return method.invoke(letters, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            Optional.ofNullable(afterwards.remove(method.getName())).ifPresent(Runnable::run);
        }
    }
}
