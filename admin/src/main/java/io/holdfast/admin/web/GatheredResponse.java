package io.holdfast.admin.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.admin.gateway.Gathered;
import io.holdfast.admin.gateway.GatheredList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.util.UriUtils;

/** Responses with what several services answered. A header names the services that did not. */
final class GatheredResponse {

    /**
     * The names of the services that are known, but did not answer in time, separated by commas. Characters that a
     * header cannot contain are percent-encoded, and so are commas in a name.
     */
    static final String INCOMPLETE = "X-Incomplete";

    private GatheredResponse() {}

    /** Starts a response; without the header if all services answered. */
    static ResponseEntity.BodyBuilder ok(Collection<String> incomplete) {
        ResponseEntity.BodyBuilder response = ResponseEntity.ok();
        return incomplete.isEmpty() ? response : response.header(INCOMPLETE, header(incomplete));
    }

    private static String header(Collection<String> services) {
        return services.stream().map(name -> UriUtils.encode(name, UTF_8)).collect(Collectors.joining(","));
    }

    static <E> ResponseEntity<List<E>> list(GatheredList<E> list) {
        return ok(list.incomplete()).body(list.entries());
    }

    /**
     * Concatenates the entries of all services, in the order of their names.
     *
     * @param entries returns the entries of a service, given its name and answer
     */
    static <A, E> ResponseEntity<List<E>> list(
            Gathered<A> gathered, BiFunction<String, ? super A, ? extends Collection<E>> entries) {
        Map<String, A> byName = new TreeMap<>(gathered.answers());
        Stream<E> all = byName.entrySet().stream()
                .flatMap(answer -> entries.apply(answer.getKey(), answer.getValue()).stream());
        return ok(gathered.incomplete()).body(all.toList());
    }
}
