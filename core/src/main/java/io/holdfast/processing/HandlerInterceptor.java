package io.holdfast.processing;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Stands around every call of a handler, on the thread that calls it: for what a framework binds to that thread, for
 * tracing, for faults on purpose. What it throws counts as thrown by the handler.
 */
@FunctionalInterface
public interface HandlerInterceptor {

    /** Calls handlers as they are. */
    HandlerInterceptor NONE = (component, componentId, context, handler) -> handler.call();

    /**
     * Calls the handler, or throws.
     *
     * @param componentId the component's stable id
     * @return what the handler gave: when it ends; null if it has
     */
    @Nullable
    CompletionStage<?> around(Component component, String componentId, EventContext context, Call handler)
            throws Exception;

    /** The first of them is the outermost. */
    static HandlerInterceptor all(List<HandlerInterceptor> interceptors) {
        HandlerInterceptor all = NONE;
        for (int i = interceptors.size() - 1; i >= 0; i--) {
            HandlerInterceptor outer = interceptors.get(i);
            HandlerInterceptor inner = all;
            all = (component, id, context, handler) ->
                    outer.around(component, id, context, () -> inner.around(component, id, context, handler));
        }
        return all;
    }

    /** The handler of the event in hand. */
    @FunctionalInterface
    interface Call {
        @Nullable
        CompletionStage<?> call() throws Exception;
    }
}
