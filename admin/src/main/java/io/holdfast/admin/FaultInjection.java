package io.holdfast.admin;

import io.holdfast.processing.Component;
import io.holdfast.processing.EventContext;
import io.holdfast.processing.HandlerInterceptor;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Lets components of this replica fail on purpose. What is injected is forgotten in a restart.
 *
 * <p>The innermost interceptor, so that a fault undoes what others have begun, as a handler's own would. For any number of
 * threads.
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

    /** By component. */
    List<InjectedFault> faults() {
        return List.copyOf(faults.values());
    }
}
