package io.holdfast.spring.store;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.jdbc.JdbcStore;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.spring.properties.PropertyValue;
import io.holdfast.spring.properties.ServiceName;
import io.holdfast.spring.properties.StoreKind;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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
 * Auto-configuration of an embedded H2 file for a service that configures no database. Spring Boot's own default would
 * be an in-memory database, whose data does not survive the process.
 */
@AutoConfiguration(before = DataSourceAutoConfiguration.class)
@ConditionalOnClass({JdbcStore.class, HikariDataSource.class, DataSourceAutoConfiguration.class})
@ConditionalOnMissingBean({DataSource.class, JdbcConnectionDetails.class})
@Conditional({H2FileAutoConfiguration.OnJdbcStore.class, H2FileAutoConfiguration.NoDatabaseConfigured.class})
public class H2FileAutoConfiguration {

    /** Applies if H2 is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Driver.class)
    static class WithH2 {

        /**
         * Without a write delay, acknowledged commits survive the process. The store uses more statements than the
         * eight that H2 caches per connection by default, and events are longer than the 256 characters that H2 stores
         * inline. The store also disables the reuse of results, but only until the database is closed.
         */
        private static final String OPTIONS = ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=256"
                + ";MAX_LENGTH_INPLACE_LOB=8192;OPTIMIZE_REUSE_RESULTS=FALSE";

        /** Shorter than HikariCP's default, which is longer than a lease. */
        private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);

        @Bean
        HikariDataSource dataSource(Environment environment) {
            HikariDataSource dataSource = new HikariDataSource();
            String directory =
                    environment.getProperty("framework.h2.directory", HoldfastProperties.H2.DEFAULT_DIRECTORY);
            dataSource.setJdbcUrl(url(directory, ServiceName.of(environment)));
            dataSource.setUsername("sa");
            dataSource.setPassword("");
            dataSource.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
            Binder.get(environment).bind("spring.datasource.hikari", Bindable.ofInstance(dataSource));
            return dataSource;
        }

        /** Encodes the service's name, which may contain characters that are not allowed in file names. */
        private static String url(String directory, String service) {
            String file = URLEncoder.encode(service, StandardCharsets.UTF_8);
            return "jdbc:h2:file:" + Path.of(directory).toAbsolutePath().resolve(file) + OPTIONS;
        }
    }

    /**
     * Applies if H2 is missing: Spring Boot's own error would recommend an in-memory database, which loses all data.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("org.h2.Driver")
    static class WithoutH2 {

        @Bean
        DataSource dataSource() {
            throw new InvalidConfigurationException(StoreDataSource.NO_DATA_SOURCE);
        }
    }

    /** Matches if the service stores its state in a database. */
    static class OnJdbcStore implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return PropertyValue.isOrMissing(context.getEnvironment(), "framework.store", StoreKind.JDBC);
        }
    }

    /** Matches if no property configures a database. */
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
