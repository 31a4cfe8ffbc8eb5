package io.holdfast.spring.store;

import io.holdfast.jdbc.JdbcStore;
import io.holdfast.jdbc.Timeouts;
import io.holdfast.jpa.JpaStore;
import io.holdfast.service.Store;
import io.holdfast.spring.properties.InvalidConfigurationException;
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;

/** Opens stores in the service's database. A separate class, because its dependencies are optional. */
final class DatabaseStores {

    private DatabaseStores() {}

    static Store jdbc(String service, DataSource dataSource, Clock clock, Duration networkTimeout) {
        return JdbcStore.in(service, dataSource)
                .clock(clock)
                .timeouts(Timeouts.DEFAULT.network(networkTimeout))
                .transactions(new TransactionConnection(dataSource))
                .open();
    }

    static Store jpa(
            String service,
            DataSource dataSource,
            ObjectProvider<EntityManagerFactory> factories,
            Clock clock,
            Duration networkTimeout) {
        EntityManagerFactory factory = factories.getIfUnique();
        if (factory == null) {
            throw new InvalidConfigurationException("framework.dlq.store=jpa needs a persistence unit, but there is no"
                    + " EntityManagerFactory bean, or there are several and none is primary");
        }
        return JpaStore.in(service, factory)
                .clock(clock)
                .timeouts(Timeouts.DEFAULT.network(networkTimeout))
                .transactions(new TransactionConnection(dataSource))
                .open();
    }
}
