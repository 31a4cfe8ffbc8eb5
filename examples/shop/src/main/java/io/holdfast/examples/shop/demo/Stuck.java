package io.holdfast.examples.shop.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Says what does not go on, for whoever has to find out why. */
final class Stuck {

    private static final int SHOWN = 5;

    private Stuck() {}

    static List<String> describe(Shop shop, Settlement settlement) {
        List<String> lines = new ArrayList<>();
        add(lines, "orders that have not ended", settlement.openOrders());
        add(lines, "reservations that have not ended", settlement.openReservations());
        shop.engines().forEach((service, engine) -> {
            long pending = engine.publisher().pending();
            if (pending > 0) {
                lines.add(service + " has " + pending + " events that are not published");
            }
            engine.processors().forEach((name, processor) -> {
                var status = processor.status();
                status.problems().forEach(problem -> lines.add("processor " + service + "/" + name + ": " + problem));
                status.parked()
                        .forEach((state, count) -> lines.add(
                                "processor " + service + "/" + name + " has " + count + " parked sequences " + state));
                if (!status.isClaimed()) {
                    lines.add("processor " + service + "/" + name + " is not running");
                }
            });
        });
        return lines;
    }

    private static void add(List<String> lines, String what, Set<String> open) {
        if (!open.isEmpty()) {
            lines.add(open.size() + " " + what + ": "
                    + String.join(", ", open.stream().limit(SHOWN).toList()) + (open.size() > SHOWN ? ", …" : ""));
        }
    }
}
