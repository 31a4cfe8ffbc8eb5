package io.holdfast.tck.saga;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitStore;
import io.holdfast.service.Store;
import io.holdfast.tck.harness.FailingStore;
import io.holdfast.view.ViewStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A store whose commits fail as scripted, and whose views can stop responding. Not thread-safe. */
final class UnstableStore {

    private final Store store;
    private final FailingStore commits;
    private boolean viewsDown;

    UnstableStore(Store store) {
        this.store = store;
        this.commits = new FailingStore(store.commitStore());
    }

    /** Returns the store as a service sees it. */
    Store store() {
        return proxy(Store.class, store);
    }

    FailingStore commits() {
        return commits;
    }

    /** Starts or stops failing every read of a view. */
    void viewsDown(boolean down) {
        viewsDown = down;
    }

    private <P> P proxy(Class<P> port, P real) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(real, method, arguments)));
    }

    private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getReturnType() == CommitStore.class) {
            return commits;
        }
        if (method.getReturnType() == ViewStore.class) {
            return proxy(ViewStore.class, store.viewStore());
        }
        if (viewsDown && real instanceof ViewStore) {
            throw new RetryableException("the store is down");
        }
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
