package io.holdfast.handling;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Wraps every handler call, on the thread that makes it: for thread-bound state of a framework, for tracing, for fault
 * injection. An exception that it throws counts as the handler's.
 */
@FunctionalInterface
public interface HandlerInterceptor {

    /** Calls handlers directly. */
    HandlerInterceptor NONE = (component, componentId, context, handler) -> handler.call();

    /**
     * Calls the handler, or throws.
     *
     * @param componentId the component's stable id
     * @return the handler's result: the stage that completes when it ends; null if it has ended already
     */
    @Nullable
    CompletionStage<?> around(Component component, String componentId, EventContext context, Call handler)
            throws Exception;

    /** Combines interceptors; the first one is the outermost. */
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

    /** Calls the handler of the current event. */
    @FunctionalInterface
    interface Call {
        @Nullable
        CompletionStage<?> call() throws Exception;
    }
}
