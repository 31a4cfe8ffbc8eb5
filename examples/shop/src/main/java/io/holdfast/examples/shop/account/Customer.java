package io.holdfast.examples.shop.account;

import io.holdfast.aggregate.AggregateType;

/** A customer. */
public record Customer(String customerId, String email, String name, String address) {

    public static final String STREAM = "customers";

    private static final Customer NONE = new Customer("", "", "", "");

    public static final AggregateType<Customer> TYPE = AggregateType.of(STREAM, Customer.class, NONE)
            .on(
                    CustomerCreated.class,
                    (customer, event) -> new Customer(event.customerId(), event.email(), event.name(), event.address()))
            .build();

    boolean exists() {
        return !customerId.isEmpty();
    }
}
