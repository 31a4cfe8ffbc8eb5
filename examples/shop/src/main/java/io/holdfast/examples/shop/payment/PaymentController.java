package io.holdfast.examples.shop.payment;

import io.holdfast.event.EventMessage;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.examples.shop.web.HistoryEntry;
import io.holdfast.examples.shop.web.Id;
import io.holdfast.examples.shop.web.RequestRejectedException;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The read-only REST API for payments. They are captured and refunded by events only. */
@RestController
@RequestMapping("/api/payments")
class PaymentController {

    private final EventSourcingController commands;

    PaymentController(EventSourcingController commands) {
        this.commands = commands;
    }

    @GetMapping("/order/{orderId}")
    PaymentResponse findByOrder(@Id @PathVariable String orderId) {
        Payment payment = commands.state(Payment.TYPE, orderId);
        if (!payment.exists()) {
            throw RequestRejectedException.notFound("Payment of order " + orderId + " does not exist.");
        }
        return PaymentResponse.of(orderId, payment);
    }

    @GetMapping("/{id}")
    PaymentResponse find(@Id @PathVariable String id) {
        return findByOrder(id);
    }

    /** Also returns the history of a payment that was withdrawn before it was captured. */
    @GetMapping("/{id}/events")
    List<HistoryEntry> history(
            @Id @PathVariable String id,
            @RequestParam(defaultValue = "0") @Min(0) long after,
            @RequestParam(defaultValue = "100") @Min(1) @Max(HistoryEntry.MAX_LIMIT) int limit) {
        List<EventMessage> events = commands.history(Payment.TYPE, id, after, limit);
        if (events.isEmpty() && after == 0) {
            throw RequestRejectedException.notFound("Payment " + id + " does not exist.");
        }
        return HistoryEntry.of(events);
    }
}
