package io.holdfast.examples.shop.account;

import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotNull;

/** The request to create a customer. */
record CreateCustomer(
        @NotNull @ShortText @Email(message = "must be an e-mail address") String email,
        @NotNull @ShortText String name,
        @NotNull @ShortText String address) {

    CustomerCreated toEvent(String customerId) {
        return new CustomerCreated(customerId, email, name, address);
    }

    Customer toCustomer(String customerId) {
        return new Customer(customerId, email, name, address);
    }
}
