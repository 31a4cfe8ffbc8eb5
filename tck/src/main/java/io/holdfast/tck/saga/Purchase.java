package io.holdfast.tck.saga;

import io.holdfast.handling.Component;
import io.holdfast.saga.orchestration.CommandUndo;
import io.holdfast.saga.orchestration.DeclaredStep;
import io.holdfast.saga.orchestration.LocalStep;
import io.holdfast.saga.orchestration.SagaDefinition;
import io.holdfast.saga.orchestration.SagaDefinitionBuilder;
import io.holdfast.saga.orchestration.SagaStepBuilder;
import io.holdfast.saga.orchestration.SagaStreams;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The orchestrated saga of the {@link Trade}: an order is placed, a call checks it, its stock is reserved and its price
 * charged by commands, and it is confirmed.
 *
 * @param amount what is ordered, and what is charged
 * @param score the result of the check
 */
record Purchase(String order, int amount, int score) {

    static final String TYPE = "Purchase";
    static final Duration REPLY_TIMEOUT = Duration.ofSeconds(15);

    /** Returns the definition, whose calls follow a script. */
    static SagaDefinition<Purchase> definition(PurchaseScript script) {
        return upToCharge(script, SagaDefinition.named(TYPE, Purchase.class).key(Purchase::order))
                .step("confirm")
                .local((purchase, decision) -> {
                    script.attempt("confirm");
                    decision.append(Trade.ORDER, purchase.order(), new Trade.OrderConfirmed(purchase.score()));
                })
                .build();
    }

    /** Adds everything up to the payment. */
    static CommandUndo<Purchase> upToCharge(PurchaseScript script, SagaDefinitionBuilder<Purchase> builder) {
        return charge(upToReserve(script, builder.step("place")).step("charge"));
    }

    /** Adds everything up to the payment behind a step. */
    static CommandUndo<Purchase> upToCharge(PurchaseScript script, DeclaredStep<Purchase> first) {
        return charge(upToReserve(script, first.step("place")).step("charge"));
    }

    /** Returns everything up to a payment that new sagas do not have. */
    static CommandUndo<Purchase> chargeRetired(PurchaseScript script) {
        SagaDefinitionBuilder<Purchase> builder =
                SagaDefinition.named(TYPE, Purchase.class).key(Purchase::order);
        return charge(upToReserve(script, builder.step("place")).retired("charge"));
    }

    /** Returns everything up to the payment, with another name of the check. */
    static CommandUndo<Purchase> checkRenamed(PurchaseScript script, String newName) {
        SagaDefinitionBuilder<Purchase> builder =
                SagaDefinition.named(TYPE, Purchase.class).key(Purchase::order);
        return charge(upToReserve(script, builder.step("place"), placed -> placed.step(newName)
                        .formerly("check"))
                .step("charge"));
    }

    private static CommandUndo<Purchase> charge(SagaStepBuilder<Purchase> step) {
        return step.command(purchase -> new ChargePayment(purchase.order(), purchase.amount()))
                .repliedBy(Trade.PAYMENTS, "PaymentProcessed")
                .refusedBy("PaymentFailed")
                .timeout(REPLY_TIMEOUT)
                .undo(purchase -> new RefundPayment(purchase.order()))
                .repliedBy("PaymentRefunded", "PaymentWithdrawn");
    }

    private static CommandUndo<Purchase> upToReserve(PurchaseScript script, SagaStepBuilder<Purchase> place) {
        return upToReserve(script, place, placed -> placed.step("check"));
    }

    private static CommandUndo<Purchase> upToReserve(
            PurchaseScript script,
            SagaStepBuilder<Purchase> place,
            Function<DeclaredStep<Purchase>, SagaStepBuilder<Purchase>> check) {
        LocalStep<Purchase> placed = place.local((purchase, decision) -> {
                    script.attempt("place");
                    decision.append(Trade.ORDER, purchase.order(), new Trade.OrderCreated(purchase.amount()));
                })
                .undo((purchase, decision) -> {
                    script.attempt("place.undo");
                    Trade.cancel(purchase.order(), "compensated", decision);
                });
        return check.apply(placed)
                .callAsync((purchase, call) -> script.call("check", purchase, call))
                .then((purchase, score) -> new Purchase(purchase.order(), purchase.amount(), score))
                .retry(3)
                .undoAsync((purchase, call) -> script.call("check.undo", purchase, call))
                .step("reserve")
                .command(purchase -> new ReserveStock(purchase.order(), purchase.amount()))
                .repliedBy(Trade.RESERVATIONS, "StockReserved")
                .refusedBy("StockReservationFailed")
                .timeout(REPLY_TIMEOUT)
                .undo(purchase -> new ReleaseStock(purchase.order()))
                .repliedBy("StockReleased", "ReservationWithdrawn");
    }

    static ServiceBlueprint blueprint(String service, PurchaseScript script) {
        String commands = SagaStreams.of(Trade.TRACKER);
        return switch (service) {
            case Trade.INVENTORY ->
                new ServiceBlueprint(service, Set.of(Trade.RESERVATIONS), List.of(commands), stock(script));
            case Trade.PAYMENT ->
                new ServiceBlueprint(service, Set.of(Trade.PAYMENTS), List.of(commands), charges(script));
            default ->
                new ServiceBlueprint(
                        service,
                        Set.of(Trade.ORDERS),
                        List.of(Trade.ORDERS),
                        Component.named("ignored")
                                .on("Nothing", (payload, context) -> {})
                                .build());
        };
    }

    /** One component handles a command and its undo, so that they stay in order. */
    private static Component stock(PurchaseScript script) {
        return Component.named("stock")
                .on(ReserveStock.class, (command, context) -> {
                    script.attempt("reserve");
                    boolean refused = script.isRefusing("reserve");
                    context.decide(Trade.STOCK, command.order(), stock -> switch (stock.state()) {
                        case "NONE" ->
                            List.of(
                                    refused
                                            ? new Trade.StockReservationFailed("sold out")
                                            : new Trade.StockReserved(command.amount()));
                        default -> List.of();
                    });
                })
                .on(ReleaseStock.class, (command, context) -> {
                    script.attempt("reserve.undo");
                    context.decide(Trade.STOCK, command.order(), stock -> switch (stock.state()) {
                        case "NONE" -> List.of(new Trade.ReservationWithdrawn(0));
                        case "DONE" -> List.of(new Trade.StockReleased(0));
                        default -> List.of();
                    });
                })
                .build();
    }

    private static Component charges(PurchaseScript script) {
        return Component.named("charges")
                .on(ChargePayment.class, (command, context) -> {
                    script.attempt("charge");
                    boolean refused = script.isRefusing("charge");
                    context.decide(Trade.CHARGE, command.order(), charge -> switch (charge.state()) {
                        case "NONE" ->
                            List.of(
                                    refused
                                            ? new Trade.PaymentFailed("declined")
                                            : new Trade.PaymentProcessed(command.amount()));
                        default -> List.of();
                    });
                })
                .on(RefundPayment.class, (command, context) -> {
                    script.attempt("charge.undo");
                    context.decide(Trade.CHARGE, command.order(), charge -> switch (charge.state()) {
                        case "NONE" -> List.of(new Trade.PaymentWithdrawn(0));
                        case "DONE" -> List.of(new Trade.PaymentRefunded(0));
                        default -> List.of();
                    });
                })
                .build();
    }

    /** Reserves the stock of an order. */
    record ReserveStock(String order, int amount) {}

    /** Releases the stock of an order, or withdraws its reservation. */
    record ReleaseStock(String order) {}

    /** Charges the price of an order. */
    record ChargePayment(String order, int amount) {}

    /** Refunds the payment of an order, or withdraws it. */
    record RefundPayment(String order) {}
}
