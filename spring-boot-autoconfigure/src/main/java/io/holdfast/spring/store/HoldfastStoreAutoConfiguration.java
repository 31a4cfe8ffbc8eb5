package io.holdfast.spring.store;

import io.holdfast.PermanentException;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.service.Store;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.HoldfastPropertiesAutoConfiguration;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.spring.properties.LetterStoreKind;
import io.holdfast.spring.properties.ServiceName;
import io.holdfast.spring.properties.StoreKind;
import jakarta.persistence.EntityManagerFactory;
import java.time.Clock;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Auto-configuration of the store, by {@code framework.store} and {@code framework.dlq.store}. */
@AutoConfiguration(
        after = HoldfastPropertiesAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration"
        })
public class HoldfastStoreAutoConfiguration {

    /**
     * Opens the store after the application's own migrations: Flyway rejects a non-empty schema without its history.
     */
    @Bean
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization
    Store holdfastStore(
            HoldfastProperties properties,
            Environment environment,
            ObjectProvider<DataSource> dataSources,
            BeanFactory beans,
            ObjectProvider<Clock> clocks) {
        String service = ServiceName.of(environment);
        Clock clock = clocks.getIfUnique(Clock::systemUTC);
        return switch (properties.store()) {
            case MEMORY -> new InMemoryStore(service, clock);
            case HAZELCAST -> throw new InvalidConfigurationException(StoreKind.NO_HAZELCAST_STORE);
            case JDBC -> openDatabaseStore(properties, service, dataSources, beans, clock);
        };
    }

    private static Store openDatabaseStore(
            HoldfastProperties properties,
            String service,
            ObjectProvider<DataSource> dataSources,
            BeanFactory beans,
            Clock clock) {
        require("framework.store=jdbc", "holdfast-jdbc", "io.holdfast.jdbc.JdbcStore");
        require("framework.store=jdbc", "spring-jdbc", "org.springframework.jdbc.datasource.ConnectionHolder");
        DataSource dataSource = StoreDataSource.of(dataSources);
        boolean byJpa = properties.dlq().store() == LetterStoreKind.JPA;
        if (byJpa) {
            require("framework.dlq.store=jpa", "holdfast-jpa", "io.holdfast.jpa.JpaStore");
        }
        try {
            return byJpa
                    ? DatabaseStores.jpa(
                            service,
                            dataSource,
                            beans.getBeanProvider(EntityManagerFactory.class),
                            clock,
                            properties.jdbc().networkTimeout())
                    : DatabaseStores.jdbc(
                            service, dataSource, clock, properties.jdbc().networkTimeout());
        } catch (InvalidConfigurationException e) {
            throw e;
        } catch (PermanentException e) {
            throw new InvalidConfigurationException("cannot open the store of service " + service, e);
        }
    }

    private static void require(String setting, String artifact, String type) {
        if (!ClassUtils.isPresent(type, HoldfastStoreAutoConfiguration.class.getClassLoader())) {
            throw new InvalidConfigurationException(setting + " needs " + artifact
                    + " on the class path; add it, or set framework.store=memory if no data needs to survive");
        }
    }
}
