package io.holdfast.examples.shop;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;

/**
 * An invalid request.
 *
 * @param path the path; {@code $product}, here and in the body, is the placeholder for an existing product's id
 * @param body the body; {@code $customer} is the placeholder for an existing customer's id
 */
record BadRequest(
        Service service,
        String method,
        String path,
        String body,
        Size size,
        String contentType,
        String headerName,
        String headerValue) {

    private static final int TEN_MEGABYTES = 10 * 1024 * 1024;

    BadRequest(Service service, String method, String path, String body) {
        this(service, method, path, body, Size.AS_GIVEN, "application/json", "X-Nothing", "nothing");
    }

    BadRequest withContentType(String type) {
        return new BadRequest(service, method, path, body, size, type, headerName, headerValue);
    }

    BadRequest withHeader(String name, String value) {
        return new BadRequest(service, method, path, body, size, contentType, name, value);
    }

    BadRequest withSize(Size newSize) {
        return new BadRequest(service, method, path, newSize.toString(), newSize, contentType, headerName, headerValue);
    }

    ServiceResponse send(RunningShop shop, String customer, String product) {
        RunningShop.RunningService running = service.in(shop);
        return running.send(running.request(path.replace("$product", product))
                .header("Content-Type", contentType)
                .header(headerName, headerValue)
                .method(method, publisher(customer, product)));
    }

    private HttpRequest.BodyPublisher publisher(String customer, String product) {
        return switch (size) {
            case AS_GIVEN ->
                HttpRequest.BodyPublishers.ofString(
                        body.replace("$product", product).replace("$customer", customer));
            case LARGE -> HttpRequest.BodyPublishers.ofByteArray(new byte[TEN_MEGABYTES]);
            case LARGE_IN_CHUNKS ->
                HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[TEN_MEGABYTES]));
        };
    }

    @Override
    public String toString() {
        String all = service + " " + method + " " + path + " " + body;
        return all.length() > 120 ? all.substring(0, 120) + "…" : all;
    }

    /** The size of the body. */
    enum Size {
        AS_GIVEN,
        LARGE,
        /** Without a {@code Content-Length}. */
        LARGE_IN_CHUNKS
    }

    /** The service that gets the request. */
    enum Service {
        ACCOUNT,
        INVENTORY,
        ORDER,
        PAYMENT;

        RunningShop.RunningService in(RunningShop shop) {
            return switch (this) {
                case ACCOUNT -> shop.account;
                case INVENTORY -> shop.inventory;
                case ORDER -> shop.order;
                case PAYMENT -> shop.payment;
            };
        }
    }
}
