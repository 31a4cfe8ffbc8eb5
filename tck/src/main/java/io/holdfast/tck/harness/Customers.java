package io.holdfast.tck.harness;

import io.holdfast.event.EventType;
import io.holdfast.view.View;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view as three versions of a service know it: the second has added properties, the third has raised the revision.
 */
public final class Customers {

    public static final View<Customer> OLD = new View<>("customers", Customer.class);
    public static final View<NewCustomer> NEW = new View<>("customers", NewCustomer.class);
    public static final View<ChangedCustomer> CHANGED = new View<>("customers", ChangedCustomer.class);

    private Customers() {}

    /** A customer as the old version knows it. */
    @EventType("Customer")
    public record Customer(String name, @Nullable Address address, List<Item> items, Map<String, Item> favourites) {

        public Customer renamed(String newName) {
            return new Customer(newName, address, items, favourites);
        }

        public Customer at(@Nullable Address newAddress) {
            return new Customer(name, newAddress, items, favourites);
        }

        public Customer with(List<Item> newItems) {
            return new Customer(name, address, newItems, favourites);
        }

        public Customer preferring(Map<String, Item> newFavourites) {
            return new Customer(name, address, items, newFavourites);
        }
    }

    /** Part of a customer. */
    public record Address(String street) {}

    /** Part of a customer. */
    public record Item(String sku) {}

    /** A customer as the new version knows it. */
    @EventType("Customer")
    public record NewCustomer(
            String name,
            @Nullable String level,
            @Nullable NewAddress address,
            List<NewItem> items,
            Map<String, NewItem> favourites) {

        /** Returns a customer whose every property is set. */
        public static NewCustomer sample() {
            return new NewCustomer(
                    "Ann",
                    "gold",
                    new NewAddress("Main St", "north"),
                    List.of(new NewItem("pen", 5), new NewItem("ink", 7)),
                    Map.of("best", new NewItem("pen", 5)));
        }
    }

    /** Part of a customer, with a new property. */
    public record NewAddress(String street, @Nullable String zone) {}

    /** Part of a customer, with a new property. */
    public record NewItem(String sku, @Nullable Integer discount) {}

    /** A customer in a shape that older versions would misread. */
    @EventType(value = "Customer", revision = 2)
    public record ChangedCustomer(
            String name, @Nullable Address address, List<Item> items, Map<String, Item> favourites) {}
}
