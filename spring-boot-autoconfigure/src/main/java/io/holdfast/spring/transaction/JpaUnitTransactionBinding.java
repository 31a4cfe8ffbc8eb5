package io.holdfast.spring.transaction;

import io.holdfast.handling.EventContext;
import io.holdfast.handling.HandlerInterceptor;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.ResourceHolderSupport;

/** Also binds the unit's EntityManager, which repositories use. Applies if letters are stored through JPA. */
final class JpaUnitTransactionBinding extends UnitTransactionBinding {

    private final EntityManagerFactory factory;

    private JpaUnitTransactionBinding(DataSource dataSource, EntityManagerFactory factory) {
        super(dataSource);
        this.factory = factory;
    }

    static HandlerInterceptor of(DataSource dataSource, EntityManagerFactory factory) {
        return new JpaUnitTransactionBinding(dataSource, factory);
    }

    @Override
    Map<Object, ResourceHolderSupport> holders(EventContext context) {
        Map<Object, ResourceHolderSupport> holders = new LinkedHashMap<>(super.holders(context));
        holders.put(factory, new UnitEntityManagerHolder(context.resource(EntityManager.class)));
        return holders;
    }

    /** Holds an EntityManager that is in a transaction. */
    private static final class UnitEntityManagerHolder extends EntityManagerHolder {

        UnitEntityManagerHolder(EntityManager entityManager) {
            super(entityManager);
            setTransactionActive(true);
            setSynchronizedWithTransaction(true);
        }
    }
}
