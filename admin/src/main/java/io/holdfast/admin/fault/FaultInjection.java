package io.holdfast.admin.fault;

import io.holdfast.handling.Component;
import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Makes components of this replica fail on purpose. Injected faults do not survive a restart.
 *
 * <p>The innermost interceptor, so that a fault rolls back the work of the others as a handler's own failure does.
 * Thread-safe.
 */
public final class FaultInjection implements HandlerInterceptor, Ordered {

    private volatile Map<String, InjectedFault> faults = Map.of();

    @Override
    public @Nullable CompletionStage<?> around(
            Component component, String componentId, EventContext context, Call handler) throws Exception {
        InjectedFault fault = faults.get(componentId);
        if (fault != null) {
            throw fault.exception();
        }
        return handler.call();
    }

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    synchronized void inject(Collection<InjectedFault> added) {
        Map<String, InjectedFault> changed = new TreeMap<>(faults);
        added.forEach(fault -> changed.put(fault.component(), fault));
        faults = changed;
    }

    synchronized void remove(Collection<String> components) {
        Map<String, InjectedFault> changed = new TreeMap<>(faults);
        components.forEach(changed::remove);
        faults = changed;
    }

    /** Returns the injected faults, ordered by component. */
    List<InjectedFault> faults() {
        return List.copyOf(faults.values());
    }
}
