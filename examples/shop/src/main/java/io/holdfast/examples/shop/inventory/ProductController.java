package io.holdfast.examples.shop.inventory;

import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.CommandResult;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.web.HistoryEntry;
import io.holdfast.examples.shop.web.Id;
import io.holdfast.examples.shop.web.RequestRejectedException;
import io.holdfast.examples.shop.web.ShortText;
import io.holdfast.view.ViewRows;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The REST API for products and their stock. */
@RestController
@RequestMapping("/api/products")
class ProductController {

    private final EventSourcingController commands;
    private final ViewRows views;
    private final Clock clock;

    ProductController(EventSourcingController commands, ViewRows views, Clock clock) {
        this.commands = commands;
        this.views = views;
        this.clock = clock;
    }

    @PostMapping
    ResponseEntity<ProductResponse> create(
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable @ShortText String idempotencyKey,
            @Valid @RequestBody CreateProduct request) {
        Command command = Command.optionallyKeyed("POST /api/products", idempotencyKey, clock);
        String productId = command.id().toString();
        CommandResult result =
                commands.execute(command, Product.TYPE, productId, none -> List.of(request.toEvent(productId)));
        if (result.duplicate() && !request.matches(commands.state(Product.TYPE, productId))) {
            throw RequestRejectedException.unprocessable("Idempotency-Key was already used for a different product, "
                    + productId + ". Repeat the original request or use a new key.");
        }
        return ResponseEntity.created(URI.create("/api/products/" + productId)).body(find(productId));
    }

    /** Oldest first, eventually consistent. */
    @GetMapping
    List<ProductResponse> list(@RequestParam(defaultValue = "20") @Min(1) @Max(100) int limit) {
        return views.page(ProductListing.PRODUCTS, "", limit).keySet().stream()
                .map(id -> ProductResponse.of(commands.state(Product.TYPE, id)))
                .toList();
    }

    @GetMapping("/{id}")
    ProductResponse find(@Id @PathVariable String id) {
        return ProductResponse.of(requireExisting(commands.state(Product.TYPE, id), id));
    }

    @PostMapping("/{id}/stock/replenish")
    ProductResponse replenish(@Id @PathVariable String id, @Valid @RequestBody ReplenishStock change) {
        try {
            commands.execute(Command.once(clock), Product.TYPE, id, product -> requireExisting(product, id)
                    .replenish(change.quantity()));
        } catch (StockLimitException e) {
            throw RequestRejectedException.unprocessable("quantity is too large: " + e.getMessage());
        }
        return find(id);
    }

    @GetMapping("/{id}/events")
    List<HistoryEntry> history(
            @Id @PathVariable String id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(HistoryEntry.MAX_LIMIT) int limit) {
        find(id);
        return HistoryEntry.of(commands.history(Product.TYPE, id, after, limit));
    }

    private static Product requireExisting(Product product, String id) {
        if (!product.exists()) {
            throw RequestRejectedException.notFound("Product " + id + " does not exist.");
        }
        return product;
    }
}
