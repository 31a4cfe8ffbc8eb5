package io.holdfast.spring.transaction;

import io.holdfast.handling.HandlerInterceptor;
import io.holdfast.memory.InMemoryStore;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
import io.holdfast.spring.EventComponents;
import io.holdfast.spring.HoldfastAutoConfiguration;
import io.holdfast.spring.properties.HoldfastProperties;
import io.holdfast.spring.properties.InvalidConfigurationException;
import io.holdfast.spring.properties.LetterStoreKind;
import io.holdfast.spring.store.HoldfastStoreAutoConfiguration;
import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration that lets handlers write application rows through Spring, in the transaction that also commits
 * their position.
 */
@AutoConfiguration(after = HoldfastStoreAutoConfiguration.class, before = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConnectionHolder.class)
public class HoldfastTransactionAutoConfiguration {

    private static final String JPA_MANAGER = "org.springframework.orm.jpa.JpaTransactionManager";

    /** The outermost interceptor, so that the others can write application rows too. */
    @Bean
    @ConditionalOnMissingBean(name = "holdfastUnitTransactionBinding")
    @Order(Ordered.HIGHEST_PRECEDENCE)
    HandlerInterceptor holdfastUnitTransactionBinding(
            HoldfastProperties properties,
            Store store,
            EventComponents components,
            ObjectProvider<DataSource> dataSources,
            BeanFactory beans) {
        DataSource dataSource = dataSources.getIfUnique();
        if (store instanceof InMemoryStore || dataSource == null) {
            return HandlerInterceptor.NONE;
        }
        if (properties.dlq().store() == LetterStoreKind.JPA) {
            return JpaUnitTransactionBinding.of(dataSource, beans.getBean(EntityManagerFactory.class));
        }
        boolean usesJpa = beans.getBeanProvider(PlatformTransactionManager.class).stream()
                .anyMatch(manager -> manager.getClass().getName().equals(JPA_MANAGER));
        if (usesJpa && !components.applicationRowWriters().isEmpty()) {
            throw new InvalidConfigurationException(
                    "components " + components.applicationRowWriters() + " write application rows, and the transaction"
                            + " manager is JPA's; rows and position commit in one transaction only if letters are JPA"
                            + " entities too: set framework.dlq.store=jpa");
        }
        return new UnitTransactionBinding(dataSource);
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxStore outboxStore(Store store, ObjectProvider<HoldfastService> service) {
        return new SignallingOutbox(store.outboxStore(), service);
    }

    /** Spring Boot registers this bean with the transaction managers, as a listener. */
    @Bean
    @ConditionalOnMissingBean
    static SeparateTransactionCheck holdfastSeparateTransactionCheck() {
        return new SeparateTransactionCheck();
    }
}
