package io.holdfast.admin.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServiceComponentsTests {

    private final ServiceComponents components = new ServiceComponents(
            HoldfastService.named("shop", new InMemoryStore("shop", Clock.systemUTC()), new InMemoryWire())
                    .owns("orders")
                    .processor("a", processor -> processor
                            .reads("orders")
                            .calls(Component.named("b~c").build())
                            .calls(Component.named("new").formerly("old").build()))
                    .processor("a~b", processor -> processor
                            .reads("orders")
                            .calls(Component.named("c").build())
                            .calls(Component.named("d/e %ä!").build()))
                    .build());

    @Test
    void findsComponentsByEachOfTheirNames() {
        ManagedComponent renamed = components.all().get(1);

        assertThat(List.of("new", "old", "a/new", "shop/a/old"))
                .allSatisfy(reference ->
                        assertThat(components.findComponents(reference)).containsExactly(renamed));
        assertThat(components.findComponents("shop/a/new")).isEmpty();
        assertThat(components.findComponents("b/new")).isEmpty();
    }

    @Test
    void findsAComponentByItsId() {
        assertThat(components.find("shop/a/old")).contains(components.all().get(1));
        assertThat(components.find("shop/a~b/d/e %ä!"))
                .contains(components.all().get(3));
        assertThat(components.find("shop/a/new")).isEmpty();
    }
}
