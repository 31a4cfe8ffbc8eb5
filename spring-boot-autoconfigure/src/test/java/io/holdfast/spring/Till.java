package io.holdfast.spring;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.View;
import java.util.List;

/** The tests' aggregate: a till that sums up payments. */
public record Till(int total) {

    public static final AggregateType<Till> TYPE = AggregateType.of("tills", Till.class, new Till(0))
            .on(Paid.class, (till, paid) -> new Till(till.total() + paid.amount()))
            .build();

    public static final View<Receipts> RECEIPTS = new View<>("receipts", Receipts.class);

    public List<Paid> pay(int amount) {
        return List.of(new Paid(amount));
    }

    public record Paid(int amount) {}

    public record Receipts(int count) {}
}
