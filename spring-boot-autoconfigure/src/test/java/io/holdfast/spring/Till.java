package io.holdfast.spring;

import io.holdfast.aggregate.AggregateType;
import io.holdfast.view.View;
import java.util.List;

/** What the tests sell and count: a till whose amounts are added up. */
record Till(int total) {

    static final AggregateType<Till> TYPE = AggregateType.of("tills", Till.class, new Till(0))
            .on(Paid.class, (till, paid) -> new Till(till.total() + paid.amount()))
            .build();

    static final View<Receipts> RECEIPTS = new View<>("receipts", Receipts.class);

    List<Paid> pay(int amount) {
        return List.of(new Paid(amount));
    }

    /** Somebody has paid. */
    record Paid(int amount) {}

    /** How often. */
    record Receipts(int count) {}
}
