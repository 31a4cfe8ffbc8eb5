package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.action.ActionStore;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.OutcomeUnknownException;
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
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Faults in the connection of a service's replicas to their store. Not thread-safe. */
final class StoreFaults {

    /** The kind of fault. */
    enum Kind {
        /** Every call fails. */
        DOWN,
        /** Reads and sessions work, but no session commits. */
        COMMIT_FAILS,
        /** The call takes effect, but its outcome is lost. */
        OUTCOME_UNKNOWN,
        /** A call that needs a connection waits for longer than a lease and fails. Open sessions continue. */
        POOL_EXHAUSTED,
        /** A call that needs a connection hangs for longer than a lease, and then takes effect. */
        HANGS
    }

    private final IntConsumer whileWaiting;

    private Kind kind = Kind.DOWN;
    private int remaining;
    private boolean waiting;

    /** @param whileWaiting runs while a call of the given replica waits: time passes, and the other replica works */
    StoreFaults(IntConsumer whileWaiting) {
        this.whileWaiting = whileWaiting;
    }

    /** Makes the next calls fail with this kind of fault. */
    void failNext(Kind newKind, int calls) {
        kind = newKind;
        remaining = calls;
    }

    void clear() {
        remaining = 0;
    }

    /** Returns the same store behind the connection of a replica. */
    Store wrap(Store store, int replica) {
        return new FaultyStore(store, replica);
    }

    private <P> P proxy(Class<P> port, P real, int replica) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(real, method, arguments, replica)));
    }

    private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments, int replica)
            throws Throwable {
        if (!(real instanceof CommitSession)) {
            waitForConnection(replica);
        }
        boolean isCommit = real instanceof CommitSession && method.getName().equals("commit");
        boolean canFail = !method.getName().equals("close");
        if (canFail && (kind == Kind.DOWN || (kind == Kind.COMMIT_FAILS && isCommit)) && consumeFailure()) {
            throw new RetryableException("scripted connection failure");
        }
        Object result = invoke(real, method, arguments);
        boolean isSaved = isCommit || !(real instanceof CommitSession || real instanceof CommitStore);
        if (canFail && kind == Kind.OUTCOME_UNKNOWN && isSaved && consumeFailure()) {
            throw new OutcomeUnknownException("scripted loss of the outcome", null);
        }
        return result instanceof CommitSession session ? proxy(CommitSession.class, session, replica) : result;
    }

    private void waitForConnection(int replica) {
        if (waiting || !(kind == Kind.POOL_EXHAUSTED || kind == Kind.HANGS) || !consumeFailure()) {
            return;
        }
        waiting = true; // the other replica has its own pool
        try {
            whileWaiting.accept(replica);
        } finally {
            waiting = false;
        }
        if (kind == Kind.POOL_EXHAUSTED) {
            throw new RetryableException("scripted timeout of the connection pool");
        }
    }

    private boolean consumeFailure() {
        return remaining > 0 && remaining-- > 0;
    }

    private static @Nullable Object invoke(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** A store whose main ports go through this connection. */
    private final class FaultyStore implements Store {

        private final Store store;
        private final int replica;

        FaultyStore(Store store, int replica) {
            this.replica = replica;
            this.store = store;
        }

        @Override
        public EventLog eventLog() {
            return proxy(EventLog.class, store.eventLog(), replica);
        }

        @Override
        public CommitStore commitStore() {
            return proxy(CommitStore.class, store.commitStore(), replica);
        }

        @Override
        public UnitTransactions unitTransactions() {
            return store.unitTransactions();
        }

        @Override
        public ViewStore viewStore() {
            return proxy(ViewStore.class, store.viewStore(), replica);
        }

        @Override
        public DeadLetterStore deadLetterStore() {
            return proxy(DeadLetterStore.class, store.deadLetterStore(), replica);
        }

        @Override
        public TokenStore tokenStore() {
            return proxy(TokenStore.class, store.tokenStore(), replica);
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
            return proxy(KnownServices.class, store.knownServices(), replica);
        }

        @Override
        public EntryStore entryStore() {
            return proxy(EntryStore.class, store.entryStore(), replica);
        }

        @Override
        public ActionStore actionStore() {
            return proxy(ActionStore.class, store.actionStore(), replica);
        }
    }
}
