package io.holdfast.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.jdbc.JdbcStore;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.sql.DataSource;
import org.h2.Driver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * An H2 file for a service that says nothing about a database: Boot's own choice would be a database in memory, which loses
 * everything with the process.
 */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnClass({JdbcStore.class, HikariDataSource.class, DataSourceAutoConfiguration.class})
@ConditionalOnMissingBean({DataSource.class, JdbcConnectionDetails.class})
@Conditional({H2FileAutoConfiguration.OnJdbcStore.class, H2FileAutoConfiguration.NoDatabaseConfigured.class})
public class H2FileAutoConfiguration {

    /** Where the file is unless {@code framework.h2.directory} says otherwise: below the working directory. */
    static final String DEFAULT_DIRECTORY = "data";

    /** What a service gets that has H2 on its class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Driver.class)
    static class WithH2 {

        /**
         * Without delay, what was answered survives the process. The statements of the store are more than the eight that a
         * connection remembers by default, and events are longer than the 256 characters that stay in their row.
         */
        private static final String OPTIONS =
                ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=256;MAX_LENGTH_INPLACE_LOB=8192";

        @Bean
        HikariDataSource dataSource(Environment environment) {
            HikariDataSource dataSource = new HikariDataSource();
            String directory = environment.getProperty("framework.h2.directory", DEFAULT_DIRECTORY);
            dataSource.setJdbcUrl(url(directory, ServiceName.of(environment)));
            dataSource.setUsername("sa");
            dataSource.setPassword("");
            Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(dataSource));
            return dataSource;
        }

        /** A name may have characters that are no part of a file's name. */
        private static String url(String directory, String service) {
            String file = URLEncoder.encode(service, StandardCharsets.UTF_8);
            return "jdbc:h2:file:" + Path.of(directory).toAbsolutePath().resolve(file) + OPTIONS;
        }
    }

    /** Boot would say how to get a database that loses everything. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.h2.Driver")
    static class WithoutH2 {

        @Bean
        DataSource dataSource() {
            throw new InvalidConfigurationException(StoreDataSource.NO_DATA_SOURCE);
        }
    }

    /** The service's store is a database. */
    static class OnJdbcStore implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return PropertyValue.isOrMissing(context.getEnvironment(), "framework.store", StoreKind.JDBC);
        }
    }

    /** Nobody has said by properties where the database is. */
    static class NoDatabaseConfigured extends NoneNestedConditions {

        NoDatabaseConfigured() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("spring.datasource.url")
        static class ByUrl {}

        @ConditionalOnProperty("spring.datasource.hikari.jdbc-url")
        static class ByPool {}

        @ConditionalOnProperty("spring.datasource.jndi-name")
        static class ByJndi {}

        @ConditionalOnProperty("spring.datasource.xa.data-source-class-name")
        static class ByXa {}
    }
}
