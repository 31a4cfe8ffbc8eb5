package io.holdfast.examples.shop.demo;

import tools.jackson.databind.JsonNode;

/** A service's response. */
record ShopResponse(int status, JsonNode body) {

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    String text(String field) {
        JsonNode value = body.path(field);
        return value.isString() ? value.stringValue() : value.toString();
    }
}
