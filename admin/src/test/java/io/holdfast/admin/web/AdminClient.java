package io.holdfast.admin.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the REST API of a service as an operator does. Thread-safe. */
final class AdminClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http = HttpClient.newHttpClient();
    private final String base;

    AdminClient(int port) {
        this.base = "http://localhost:" + port;
    }

    /** @param text the raw body */
    record Response(int status, String contentType, String total, String retryAfter, String link, String text) {

        JsonNode json() {
            return JSON.readTree(text);
        }

        String field(String name) {
            return json().path(name).asString("");
        }

        /** Returns the values of a field in all entries of a list. */
        List<String> all(String name) {
            return json().valueStream()
                    .map(entry -> entry.path(name).asString(""))
                    .toList();
        }
    }

    Response get(String path) {
        return send(request(path).GET());
    }

    Response post(String path) {
        return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
    }

    Response delete(String path) {
        return send(request(path).DELETE());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private Response send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Response(
                    response.statusCode(),
                    header(response, "Content-Type"),
                    header(response, "X-Total-Count"),
                    header(response, "Retry-After"),
                    header(response, "Link"),
                    response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String header(HttpResponse<String> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }
}
