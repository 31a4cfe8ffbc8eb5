package io.holdfast.spring;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.View;
import java.util.List;

/** The tests' aggregate: a till that sums up payments. */
record Till(int total) {

    static final AggregateType<Till> TYPE = AggregateType.of("tills", Till.class, new Till(0))
            .on(Paid.class, (till, paid) -> new Till(till.total() + paid.amount()))
            .build();

    static final View<Receipts> RECEIPTS = new View<>("receipts", Receipts.class);

    List<Paid> pay(int amount) {
        return List.of(new Paid(amount));
    }

    record Paid(int amount) {}

    record Receipts(int count) {}
}
