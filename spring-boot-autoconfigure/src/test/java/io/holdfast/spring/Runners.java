package io.holdfast.spring;

import io.holdfast.memory.InMemoryWire;
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
final class Runners {

    private Runners() {}

    static ApplicationContextRunner inMemory() {
        return all().withBean(Wire.class, InMemoryWire::new).withPropertyValues("framework.store=memory");
    }

    static ApplicationContextRunner inFile(Path directory) {
        return all().withBean(Wire.class, InMemoryWire::new).withPropertyValues("framework.h2.directory=" + directory);
    }

    static ApplicationContextRunner all() {
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
