package io.holdfast.spring;

import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Ready means: the database of the log answers, its schema is up to date (or there would be no service), the service's threads
 * run. What waits for something is DEGRADED, in the details: the service takes commands all the same.
 */
final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    private final HoldfastService service;
    private final DatabasePing ping;
    private final BooleanSupplier isWireUp;

    HoldfastHealthIndicator(HoldfastService service, DatabasePing ping, BooleanSupplier isWireUp) {
        super("the state of the service cannot be read");
        this.service = service;
        this.ping = ping;
        this.isWireUp = isWireUp;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        if (!service.isRunning()) {
            builder.down()
                    .withDetail("reason", "its threads do not run: not started yet, closed, or ended by an error");
            return;
        }
        ping.failure().ifPresentOrElse(failure -> builder.down().withDetail("reason", failure), () -> {
            List<Degradation> degradations = Degradation.of(service, isWireUp.getAsBoolean());
            builder.up().withDetail("state", degradations.isEmpty() ? "OK" : "DEGRADED");
            if (!degradations.isEmpty()) {
                builder.withDetail("degraded", degradations);
            }
        });
    }
}
