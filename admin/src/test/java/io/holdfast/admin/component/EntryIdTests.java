package io.holdfast.admin.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntryIdTests {

    private static final UUID EVENT = UUID.fromString("0198c0de-0000-7000-8000-000000000001");

    @Test
    void namesTheEventAndItsComponent() {
        EntryId id = EntryId.of("shop/orders/packing", EVENT);

        assertThat(id).hasToString(EVENT + "~shop~orders~packing");
        assertThat(id.componentId()).isEqualTo("shop/orders/packing");
        assertThat(EntryId.parse(id.toString())).contains(id);
    }

    @Test
    void givesEveryComponentAnotherIdThatIsSafeInAUrl() {
        List<EntryId> ids = List.of(
                new EntryId(EVENT, "shop", "a", "b~c"),
                new EntryId(EVENT, "shop", "a~b", "c"),
                new EntryId(EVENT, "shop~a", "b", "c"),
                new EntryId(EVENT, "shop", "a", "d/e %ä!+"),
                new EntryId(EVENT, "shop", "a", "d/e %ä!"),
                new EntryId(EVENT, "shop", "a", "%7E"));

        assertThat(ids.stream().map(EntryId::toString)).doesNotHaveDuplicates();
        assertThat(ids).allSatisfy(id -> {
            assertThat(URI.create("http://localhost/" + id).getPath()).isEqualTo("/" + id);
            assertThat(EntryId.parse(id.toString())).contains(id);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nothing",
                "0198c0de-0000-7000-8000-000000000001",
                "0198c0de-0000-7000-8000-000000000001~",
                "0198c0de-0000-7000-8000-000000000001~shop~orders",
                "0198c0de-0000-7000-8000-000000000001~shop~orders~packing~more",
                "0198C0DE-0000-7000-8000-000000000001~shop~orders~packing",
                "1-1-1-1-1~shop~orders~packing",
                "0198c0de-0000-7000-8000-000000000001~shop~orders~pack ing",
                "0198c0de-0000-7000-8000-000000000001~shop~orders~packing!2",
                "0198c0de-0000-7000-8000-000000000001~shop~orders~packing!"
            })
    void acceptsNoOtherText(String text) {
        assertThat(EntryId.parse(text)).isEmpty();
    }
}
