package io.holdfast.spring;

import io.holdfast.memory.InMemoryWire;
import io.holdfast.spring.properties.HoldfastPropertiesAutoConfiguration;
import io.holdfast.spring.store.H2FileAutoConfiguration;
import io.holdfast.spring.store.HoldfastStoreAutoConfiguration;
import io.holdfast.spring.transaction.HoldfastTransactionAutoConfiguration;
import io.holdfast.wire.Wire;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;

/** Runs an application named shop with all auto-configurations; in memory or a file, its wire is in memory. */
public final class Runners {

    /** Excluded if the transaction manager is JDBC's. */
    public static final String JPA = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration";

    private Runners() {}

    public static ApplicationContextRunner inMemory() {
        return all().withBean(Wire.class, InMemoryWire::new).withPropertyValues("framework.store=memory");
    }

    public static ApplicationContextRunner inFile(Path directory) {
        return all().withBean(Wire.class, InMemoryWire::new).withPropertyValues("framework.h2.directory=" + directory);
    }

    public static ApplicationContextRunner all() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastPropertiesAutoConfiguration.class,
                        H2FileAutoConfiguration.class,
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        HoldfastStoreAutoConfiguration.class,
                        HoldfastWireAutoConfiguration.class,
                        HoldfastTransactionAutoConfiguration.class,
                        HoldfastAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop");
    }
}
