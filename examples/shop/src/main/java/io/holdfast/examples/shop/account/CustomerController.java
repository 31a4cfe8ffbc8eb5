package io.holdfast.examples.shop.account;

import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.web.HistoryEntry;
import io.holdfast.examples.shop.web.Id;
import io.holdfast.examples.shop.web.RequestRejectedException;
import io.holdfast.examples.shop.web.ShortText;
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

/** The REST API for customers. */
@RestController
@RequestMapping("/api/customers")
class CustomerController {

    private final EventSourcingController commands;
    private final Clock clock;

    CustomerController(EventSourcingController commands, Clock clock) {
        this.commands = commands;
        this.clock = clock;
    }

    @PostMapping
    ResponseEntity<Customer> create(
            @RequestHeader(name = "Idempotency-Key", required = false) @Nullable @ShortText String idempotencyKey,
            @Valid @RequestBody CreateCustomer request) {
        Command command = Command.optionallyKeyed("POST /api/customers", idempotencyKey, clock);
        String customerId = command.id().toString();
        commands.execute(command, Customer.TYPE, customerId, none -> List.of(request.toEvent(customerId)));
        Customer customer = find(customerId);
        if (!customer.equals(request.toCustomer(customerId))) {
            throw RequestRejectedException.unprocessable("Idempotency-Key was already used for a different customer, "
                    + customerId + ". Repeat the original request or use a new key.");
        }
        return ResponseEntity.created(URI.create("/api/customers/" + customerId))
                .body(customer);
    }

    @GetMapping("/{id}")
    Customer find(@Id @PathVariable String id) {
        Customer customer = commands.state(Customer.TYPE, id);
        if (!customer.exists()) {
            throw RequestRejectedException.notFound("Customer " + id + " does not exist.");
        }
        return customer;
    }

    @GetMapping("/{id}/events")
    List<HistoryEntry> history(
            @Id @PathVariable String id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(HistoryEntry.MAX_LIMIT) int limit) {
        find(id);
        return HistoryEntry.of(commands.history(Customer.TYPE, id, after, limit));
    }
}
