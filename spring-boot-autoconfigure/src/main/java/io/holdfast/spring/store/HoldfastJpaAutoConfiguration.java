package io.holdfast.spring.store;

import io.holdfast.jpa.JpaStore;
import io.holdfast.spring.properties.LetterStoreKind;
import io.holdfast.spring.properties.PropertyValue;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jpa.autoconfigure.EntityManagerFactoryBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Auto-configuration that adds the entities of letters to the application's persistence unit, whatever it scans. */
@AutoConfiguration(beforeName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration")
@ConditionalOnClass({JpaStore.class, EntityManagerFactoryBuilderCustomizer.class})
@Conditional(HoldfastJpaAutoConfiguration.OnJpaLetterStore.class)
public class HoldfastJpaAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "holdfastEntities")
    EntityManagerFactoryBuilderCustomizer holdfastEntities() {
        return builder -> builder.addPersistenceUnitPostProcessors(
                unit -> JpaStore.entities().forEach(entity -> unit.addManagedClassName(entity.getName())));
    }

    /** Matches if letters are stored through JPA. */
    static class OnJpaLetterStore implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return PropertyValue.is(context.getEnvironment(), "framework.dlq.store", LetterStoreKind.JPA);
        }
    }
}
