package io.holdfast.spring.health;

import io.holdfast.service.HoldfastService;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports UP if the log's database responds, the service's threads are running and its committer makes progress. (A
 * service with an outdated schema
 * does not start.) Parts of the service that are waiting are reported as DEGRADED in the details; the service still
 * accepts commands.
 */
final class HoldfastHealthIndicator extends AbstractHealthIndicator {

    private final HoldfastService service;
    private final DatabasePing ping;
    private final BooleanSupplier isWireUp;

    HoldfastHealthIndicator(HoldfastService service, DatabasePing ping, BooleanSupplier isWireUp) {
        super("Reading the state of the service failed");
        this.service = service;
        this.ping = ping;
        this.isWireUp = isWireUp;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        service.outage()
                .or(ping::failure)
                .ifPresentOrElse(failure -> builder.down().withDetail("reason", failure), () -> {
                    List<Degradation> degradations = Degradation.of(service, isWireUp.getAsBoolean());
                    builder.up().withDetail("state", degradations.isEmpty() ? "OK" : "DEGRADED");
                    if (!degradations.isEmpty()) {
                        builder.withDetail("degraded", degradations);
                    }
                });
    }
}
