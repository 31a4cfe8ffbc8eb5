package io.holdfast.admin.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    record Response(int status, HttpHeaders headers, String text) {

        String contentType() {
            return header("Content-Type");
        }

        String total() {
            return header("X-Total-Count");
        }

        String retryAfter() {
            return header("Retry-After");
        }

        String link() {
            return header("Link");
        }

        /** Returns a header; empty if it is missing. */
        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        /** Returns the path and query of the next page; empty on the last page. */
        String next() {
            Matcher next =
                    Pattern.compile("<https?://[^/]+(/[^>]*)>; rel=\"next\"").matcher(link());
            return next.matches() ? next.group(1) : "";
        }

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

    /** @param key the {@code Idempotency-Key} */
    Response post(String path, String key, String body) {
        return send(request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Response post(String path, String key, String body, String header, String value) {
        return send(request(path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .header(header, value)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    Response put(String path, String body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
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
            return new Response(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
