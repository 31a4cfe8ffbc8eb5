package io.holdfast.tck.harness;

import io.holdfast.action.Settlement;
import io.holdfast.commit.CommitSession;
import io.holdfast.commit.CommitStore;
import io.holdfast.event.Epoch;
import io.holdfast.failover.HeadReading;
import io.holdfast.failover.SeenEvent;
import io.holdfast.failover.TailLoss;
import io.holdfast.failover.Witnessed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records the calls of commit sessions, and runs actions between them. Not thread-safe. */
public final class RecordingStore implements CommitStore {

    private final CommitStore store;
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Runnable> actions = new HashMap<>();

    public RecordingStore(CommitStore store) {
        this.store = store;
    }

    /** Returns the names of the methods that were called, in order. */
    public List<String> calls() {
        return calls;
    }

    /** Runs an action once, before the next call of a method. */
    public void before(String method, Runnable action) {
        actions.put(method, action);
    }

    @Override
    public CommitSession open() {
        calls.add("open");
        CommitSession session = store.open();
        return (CommitSession) Proxy.newProxyInstance(
                CommitSession.class.getClassLoader(),
                new Class<?>[] {CommitSession.class},
                (proxy, method, arguments) -> call(session, method, arguments));
    }

    @Override
    public Epoch raiseEpoch(@Nullable Settlement settlement) {
        return store.raiseEpoch(settlement);
    }

    @Override
    public HeadReading readHead(Witnessed witnessed) {
        return store.readHead(witnessed);
    }

    @Override
    public Optional<TailLoss> startEpochAfterLoss(List<SeenEvent> seen, Witnessed witnessed) {
        return store.startEpochAfterLoss(seen, witnessed);
    }

    private @Nullable Object call(CommitSession session, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Runnable action = actions.remove(method.getName());
        if (action != null) {
            action.run();
        }
        calls.add(method.getName());
        try {
            return method.invoke(session, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
