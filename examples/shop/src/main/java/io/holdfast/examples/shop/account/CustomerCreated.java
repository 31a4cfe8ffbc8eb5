package io.holdfast.examples.shop.account;

public record CustomerCreated(String customerId, String email, String name, String address) {}
