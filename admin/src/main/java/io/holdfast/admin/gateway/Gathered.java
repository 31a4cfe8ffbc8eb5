package io.holdfast.admin.gateway;

import java.util.List;
import java.util.Map;

/**
 * What all services have answered.
 *
 * @param answers by the name of the service
 * @param incomplete the services that are known, but have not answered in time
 */
public record Gathered<A>(Map<String, A> answers, List<String> incomplete) {

    public Gathered {
        answers = Map.copyOf(answers);
        incomplete = List.copyOf(incomplete);
    }
}
