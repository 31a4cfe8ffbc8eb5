package io.holdfast.examples.shop.account;

import io.holdfast.examples.shop.web.ShortText;
import jakarta.validation.constraints.Email;

/** What somebody says who becomes a customer. */
record CreateCustomer(
        @ShortText @Email(message = "must be an e-mail address") String email,
        @ShortText String name,
        @ShortText String address) {

    CustomerCreated as(String customerId) {
        return new CustomerCreated(customerId, email, name, address);
    }
}
