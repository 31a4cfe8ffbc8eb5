package io.holdfast.chaos;

import io.holdfast.PermanentException;
import io.holdfast.aggregate.AggregateType;
import io.holdfast.handling.Component;
import io.holdfast.view.View;
import java.util.List;
import java.util.stream.IntStream;

/** The domain of the two services: one counts keys up, the other copies the numbers and rejects any but the next. */
final class Numbers {

    static final int KEYS = 20;

    static final AggregateType<Count> COUNTED = AggregateType.of("numbers", Count.class, new Count(0))
            .on(Counted.class, (count, event) -> new Count(event.number()))
            .build();
    static final AggregateType<Count> COPIED = AggregateType.of("copies", Count.class, new Count(0))
            .on(Copied.class, (count, event) -> new Count(event.number()))
            .build();
    static final View<Count> TOTALS = new View<>("totals", Count.class);

    private Numbers() {}

    static List<String> keys() {
        return IntStream.range(0, KEYS).mapToObj(key -> "key-" + key).toList();
    }

    /** Copies each number once and throws if it is not the next one of its key. */
    static Component copying() {
        return Component.named("copying")
                .on(Counted.class, (event, context) -> {
                    String key = context.event().key();
                    context.decide(decision -> {
                        long last = decision.state(COPIED, key).number();
                        if (event.number() != last + 1) {
                            throw new PermanentException(key + " is at " + last + ", but received " + event.number());
                        }
                        decision.append(COPIED, key, new Copied(event.number()));
                    });
                    context.update(TOTALS, key, total -> new Count(total == null ? 1 : total.number() + 1));
                })
                .build();
    }

    record Count(long number) {}

    record Counted(long number) {}

    record Copied(long number) {}
}
