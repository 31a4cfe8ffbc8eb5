package io.holdfast.spring.health;

import io.holdfast.hazelcast.HazelcastWire;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.spring.HoldfastAutoConfiguration;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the health indicator, which is part of readiness by default. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("holdfast")
public class HoldfastHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
    HoldfastHealthIndicator holdfastHealthIndicator(
            HoldfastService service,
            Store store,
            ObjectProvider<DataSource> dataSources,
            ObjectProvider<WireState> wire) {
        DataSource dataSource = store instanceof InMemoryStore ? null : dataSources.getIfUnique();
        return new HoldfastHealthIndicator(
                service,
                new DatabasePing(dataSource),
                wire.getIfAvailable(() -> new WireState(() -> true)).isUp());
    }

    /** Only a Hazelcast wire can be down. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HazelcastWire.class)
    static class OnHazelcast {

        @Bean
        WireState holdfastWireState(ObjectProvider<HazelcastWire> wire) {
            HazelcastWire found = wire.getIfAvailable();
            return new WireState(found == null ? () -> true : found::isUp);
        }
    }

    /** @param isUp whether the wire is up */
    record WireState(BooleanSupplier isUp) {}
}
