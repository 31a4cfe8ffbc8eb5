package io.holdfast.tck.simulation;

import io.holdfast.RetryableException;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.commit.OutcomeUnknownException;
import io.holdfast.commit.UnitTransactions;
import io.holdfast.deadletter.DeadLetterStore;
import io.holdfast.event.EventLog;
import io.holdfast.idempotency.IdempotencyGuard;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.Store;
import io.holdfast.token.TokenStore;
import io.holdfast.view.ViewStore;
import io.holdfast.wire.ConsumerGroups;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
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
        OUTCOME_UNKNOWN
    }

    private Kind kind = Kind.DOWN;
    private int remaining;

    /** Makes the next calls fail with this kind of fault. */
    void failNext(Kind newKind, int calls) {
        kind = newKind;
        remaining = calls;
    }

    void clear() {
        remaining = 0;
    }

    /** Returns the same store behind this connection. */
    Store wrap(Store store) {
        return new FaultyStore(store);
    }

    private <P> P proxy(Class<P> port, P real) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(),
                new Class<?>[] {port},
                (proxy, method, arguments) -> call(real, method, arguments)));
    }

    private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments) throws Throwable {
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
        return result instanceof CommitSession session ? proxy(CommitSession.class, session) : result;
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

        FaultyStore(Store store) {
            this.store = store;
        }

        @Override
        public EventLog eventLog() {
            return proxy(EventLog.class, store.eventLog());
        }

        @Override
        public CommitStore commitStore() {
            return proxy(CommitStore.class, store.commitStore());
        }

        @Override
        public UnitTransactions unitTransactions() {
            return store.unitTransactions();
        }

        @Override
        public ViewStore viewStore() {
            return proxy(ViewStore.class, store.viewStore());
        }

        @Override
        public DeadLetterStore deadLetterStore() {
            return proxy(DeadLetterStore.class, store.deadLetterStore());
        }

        @Override
        public TokenStore tokenStore() {
            return proxy(TokenStore.class, store.tokenStore());
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
    }
}
