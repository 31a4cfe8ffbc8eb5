package io.holdfast.spring;

import io.holdfast.memory.InMemoryStore;
import io.holdfast.processing.HandlerInterceptor;
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

/** Lets handlers that keep rows write them by what Spring offers, in the transaction that carries their position along. */
@AutoConfiguration(after = HoldfastStoreAutoConfiguration.class, before = HoldfastAutoConfiguration.class)
@ConditionalOnClass(ConnectionHolder.class)
public class HoldfastRowsAutoConfiguration {

    /** Around all other interceptors, so that they may write rows as well. */
    @Bean
    @ConditionalOnMissingBean(name = "holdfastUnitOnThread")
    @Order(Ordered.HIGHEST_PRECEDENCE)
    HandlerInterceptor holdfastUnitOnThread(
            HoldfastProperties properties, Store store, ObjectProvider<DataSource> dataSources, BeanFactory beans) {
        DataSource dataSource = dataSources.getIfUnique();
        if (store instanceof InMemoryStore || dataSource == null) {
            return HandlerInterceptor.NONE;
        }
        return properties.dlq().store() == LetterStoreKind.JPA
                ? JpaUnitOnThread.of(dataSource, beans.getBean(EntityManagerFactory.class))
                : new UnitOnThread(dataSource);
    }
}
