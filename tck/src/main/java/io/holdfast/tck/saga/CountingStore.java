package io.holdfast.tck.saga;

import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.deadletter.entry.EntryStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import io.holdfast.wire.KnownServices;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the calls of views, letters and tokens. Not thread-safe. */
final class CountingStore implements Store {

    private final Store store;
    private final Map<String, Integer> calls = new TreeMap<>();

    CountingStore(Store store) {
        this.store = store;
    }

    /** Returns the number of calls by method, and starts again. */
    Map<String, Integer> drain() {
        Map<String, Integer> counted = new TreeMap<>(calls);
        calls.clear();
        return counted;
    }

    private <P> P counting(Class<P> port, P real) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(port.getSimpleName(), real, method, arguments)));
    }

    private @Nullable Object call(String port, Object real, Method method, Object @Nullable [] arguments)
            throws Throwable {
        calls.merge(port + "." + method.getName(), 1, Integer::sum);
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public EventLog eventLog() {
        return store.eventLog();
    }

    @Override
    public CommitStore commitStore() {
        return store.commitStore();
    }

    @Override
    public UnitTransactions unitTransactions() {
        return store.unitTransactions();
    }

    @Override
    public ViewStore viewStore() {
        return counting(ViewStore.class, store.viewStore());
    }

    @Override
    public DeadLetterStore deadLetterStore() {
        return counting(DeadLetterStore.class, store.deadLetterStore());
    }

    @Override
    public TokenStore tokenStore() {
        return counting(TokenStore.class, store.tokenStore());
    }

    @Override
    public OutboxStore outboxStore() {
        return store.outboxStore();
    }

    @Override
    public ConsumerGroups consumerGroups() {
        return store.consumerGroups();
    }

    @Override
    public IdempotencyGuard idempotencyGuard() {
        return store.idempotencyGuard();
    }

    @Override
    public KnownServices knownServices() {
        return counting(KnownServices.class, store.knownServices());
    }

    @Override
    public EntryStore entryStore() {
        return counting(EntryStore.class, store.entryStore());
    }

    @Override
    public ActionStore actionStore() {
        return counting(ActionStore.class, store.actionStore());
    }
}
