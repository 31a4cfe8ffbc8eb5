package io.holdfast.admin.gateway;

/** Asks for all entries of a list that is short. */
public record ListRequest() {}
