package io.holdfast.admin.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.component.ServiceComponents.EntryReference;
import io.holdfast.handling.Component;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.memory.InMemoryWire;
import io.holdfast.service.HoldfastService;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ServiceComponentsTests {

    private static final UUID EVENT = UUID.fromString("0198c0de-0000-7000-8000-000000000001");

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
    void givesEveryComponentUniqueUrlSafeIds() {
        List<String> ids = components.all().stream()
                .map(component -> component.entryId(EVENT))
                .toList();

        assertThat(ids).doesNotHaveDuplicates();
        assertThat(ids).allSatisfy(id -> assertThat(
                        URI.create("http://localhost/" + id).getPath())
                .isEqualTo("/" + id));
        assertThat(ids.get(1)).isEqualTo(EVENT + "~shop~a~old");
        for (int i = 0; i < ids.size(); i++) {
            assertThat(components.locate(ids.get(i)))
                    .contains(new EntryReference(components.all().get(i), EVENT));
        }
    }

    @Test
    void findsComponentsByEachOfTheirNames() {
        ManagedComponent renamed = components.all().get(1);

        assertThat(List.of("new", "old", "a/new", "shop/a/old"))
                .allSatisfy(reference ->
                        assertThat(components.findComponents(reference)).containsExactly(renamed));
        assertThat(components.findComponents("shop/a/new")).isEmpty();
        assertThat(components.findComponents("b/new")).isEmpty();
    }
}
