package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.gateway.Gathered;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;

class GatheredResponseTests {

    @Test
    void namesTheServicesThatDidNotAnswer() {
        assertThat(incomplete("order", "payment")).containsExactly("order,payment");
    }

    @Test
    void omitsTheHeaderIfAllAnswered() {
        assertThat(incomplete()).isNull();
    }

    @Test
    void encodesNamesThatAHeaderCannotContain() {
        assertThat(incomplete("a,b", "caf\u00e9 1")).containsExactly("a%2Cb,caf%C3%A9%201");
    }

    private static List<String> incomplete(String... services) {
        Gathered<List<String>> gathered = new Gathered<>(Map.of(), List.of(services));
        return GatheredResponse.list(gathered, (service, entries) -> entries)
                .getHeaders()
                .get(GatheredResponse.INCOMPLETE);
    }

    @Test
    void concatenatesTheEntriesInTheOrderOfServices() {
        Gathered<List<Integer>> gathered =
                new Gathered<>(Map.of("stock", List.of(3, 1), "order", List.of(), "basket", List.of(2)), List.of());

        ResponseEntity<List<String>> response = GatheredResponse.list(gathered, (service, entries) -> entries.stream()
                .map(entry -> service + entry)
                .toList());

        assertThat(response.getBody()).containsExactly("basket2", "stock3", "stock1");
    }
}
