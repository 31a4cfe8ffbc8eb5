package io.holdfast.examples.shop;

import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service's HTTP response. */
record ServiceResponse(int status, String contentType, String body) {

    private static final JsonMapper MAPPER = new JsonMapper();

    static ServiceResponse of(HttpResponse<String> response) {
        return new ServiceResponse(
                response.statusCode(),
                response.headers().firstValue("Content-Type").orElse(""),
                response.body());
    }

    JsonNode json() {
        return MAPPER.readTree(body);
    }

    String text(String field) {
        return json().path(field).asString("");
    }

    int number(String field) {
        return json().path(field).intValue();
    }
}
