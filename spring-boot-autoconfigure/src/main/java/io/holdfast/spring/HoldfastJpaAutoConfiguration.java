package io.holdfast.spring;

import io.holdfast.jpa.JpaStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jpa.autoconfigure.EntityManagerFactoryBuilderCustomizer;
import org.springframework.context.annotation.Bean;

/** Letters as entities of the service's own persistence unit, wherever its other entities are looked for. */
@AutoConfiguration(beforeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({JpaStore.class, EntityManagerFactoryBuilderCustomizer.class})
@ConditionalOnProperty(name = "framework.dlq.store", havingValue = "jpa")
public class HoldfastJpaAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "holdfastEntities")
    EntityManagerFactoryBuilderCustomizer holdfastEntities() {
        return builder -> builder.addPersistenceUnitPostProcessors(
                unit -> JpaStore.entities().forEach(entity -> unit.addManagedClassName(entity.getName())));
    }
}
