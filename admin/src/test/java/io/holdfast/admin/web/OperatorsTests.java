package io.holdfast.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.gateway.Operator;
import io.holdfast.admin.gateway.Role;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class OperatorsTests {

    @Test
    void recordsWhereTheRequestEnteredTheSystem() {
        InMemoryStore store = new InMemoryStore("shop", Clock.systemUTC());
        HoldfastService service =
                HoldfastService.named("shop", store, new InMemoryWire()).build();
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr("192.0.2.7");

        Operator operator = new Operators(service).of(request);

        assertThat(operator)
                .isEqualTo(new Operator(
                        "anonymous", Role.ADMIN, new Operator.Via("shop", service.replica(), "192.0.2.7")));
    }
}
