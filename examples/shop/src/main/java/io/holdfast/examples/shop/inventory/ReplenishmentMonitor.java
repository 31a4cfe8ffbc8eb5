package io.holdfast.examples.shop.inventory;

import io.holdfast.eventsourcing.Command;
import io.holdfast.eventsourcing.EventSourcingController;
import io.holdfast.view.ViewRows;
import java.time.Clock;
import java.util.Set;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Keeps the stock of products created with {@code replenish: true} above their reorder point. The decision runs on the
 * newest state, so concurrent monitors on several replicas do not replenish twice.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ConditionalOnProperty(name = "shop.replenishment.enabled", matchIfMissing = true)
class ReplenishmentMonitor {

    private static final int PAGE_SIZE = 100;

    private final EventSourcingController commands;
    private final ViewRows views;
    private final Clock clock;

    ReplenishmentMonitor(EventSourcingController commands, ViewRows views, Clock clock) {
        this.commands = commands;
        this.views = views;
        this.clock = clock;
    }

    @Scheduled(
            initialDelayString = "${shop.replenishment.interval:10s}",
            fixedDelayString = "${shop.replenishment.interval:10s}")
    void replenish() {
        String after = "";
        Set<String> page;
        do {
            page = views.page(ProductListing.REPLENISHED, after, PAGE_SIZE).keySet();
            for (String productId : page) {
                replenish(productId);
                after = productId;
            }
        } while (page.size() == PAGE_SIZE);
    }

    private void replenish(String productId) {
        if (!commands.state(Product.TYPE, productId).reorder().isEmpty()) {
            commands.execute(Command.once(clock), Product.TYPE, productId, Product::reorder);
        }
    }
}
