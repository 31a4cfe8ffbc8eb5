package io.holdfast.spring;

import io.holdfast.memory.InMemoryStore;
import io.holdfast.outbox.OutboxStore;
import io.holdfast.processing.HandlerInterceptor;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.Store;
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

/** Lets handlers that keep rows write them by what Spring offers, in the transaction that carries their position along. */
@AutoConfiguration(after = HoldfastStoreAutoConfiguration.class, before = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConnectionHolder.class)
public class HoldfastTransactionAutoConfiguration {

    private static final String JPA_MANAGER = "org.springframework.orm.jpa.JpaTransactionManager";

    /** Around all other interceptors, so that they may write rows as well. */
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
        boolean isJpas = beans.getBeanProvider(PlatformTransactionManager.class).stream()
                .anyMatch(manager -> manager.getClass().getName().equals(JPA_MANAGER));
        if (isJpas && !components.applicationRowWriters().isEmpty()) {
            throw new InvalidConfigurationException(
                    "components " + components.applicationRowWriters() + " keep rows, and transactions"
                            + " are those of JPA; they can be written in one transaction with the position only if letters are"
                            + " entities as well: set framework.dlq.store=jpa");
        }
        return new UnitTransactionBinding(dataSource);
    }

    @Bean
    @ConditionalOnMissingBean
    OutboxStore outboxStore(Store store, ObjectProvider<HoldfastService> service) {
        return new SignallingOutbox(store.outboxStore(), service);
    }

    /** Spring Boot tells it of transactions. */
    @Bean
    @ConditionalOnMissingBean
    static SeparateTransactionCheck holdfastSeparateTransactionCheck() {
        return new SeparateTransactionCheck();
    }
}
