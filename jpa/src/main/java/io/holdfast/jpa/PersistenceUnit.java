package io.holdfast.jpa;

import io.holdfast.PermanentException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import jakarta.persistence.PersistenceUnitTransactionType;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * A user's persistence unit that the store can use.
 *
 * @param entityManagerFactory the user's factory, which may be a proxy
 * @param dataSource the source of its connections
 */
record PersistenceUnit(EntityManagerFactory entityManagerFactory, SessionFactory factory, DataSource dataSource) {

    static final List<Class<?>> ENTITIES = List.of(LetterEntity.class, SequenceEntity.class, QueueEntity.class);

    /** @throws PermanentException if the unit cannot be used; the message names what to change */
    static PersistenceUnit of(EntityManagerFactory given) {
        SessionFactoryImplementor factory = hibernate(given);
        if (given.getTransactionType() == PersistenceUnitTransactionType.JTA) {
            throw new PermanentException(name(given) + " uses JTA transactions; the store ends its transactions"
                    + " itself and needs a persistence unit of type RESOURCE_LOCAL");
        }
        List<String> missing = ENTITIES.stream()
                .filter(entity ->
                        given.getMetamodel().getEntities().stream().noneMatch(mapped -> mapped.getJavaType() == entity))
                .map(Class::getName)
                .toList();
        if (!missing.isEmpty()) {
            throw new PermanentException(name(given) + " does not map " + String.join(", ", missing)
                    + "; add all of JpaStore.entities() to it, for example as <class> in persistence.xml");
        }
        return new PersistenceUnit(given, factory, dataSource(given, factory));
    }

    boolean isBackedBy(Object resource) {
        return resource == entityManagerFactory || resource == factory;
    }

    private static SessionFactoryImplementor hibernate(EntityManagerFactory given) {
        try {
            return given.unwrap(SessionFactoryImplementor.class);
        } catch (PersistenceException e) {
            throw new PermanentException(
                    name(given) + " is a " + given.getClass().getName()
                            + "; only persistence units of Hibernate are supported",
                    e);
        }
    }

    private static DataSource dataSource(EntityManagerFactory given, SessionFactoryImplementor factory) {
        ConnectionProvider provider = factory.getServiceRegistry().getService(ConnectionProvider.class);
        if (provider == null || !provider.isUnwrappableAs(DataSource.class)) {
            throw new PermanentException(
                    name(given) + " does not get its connections from a DataSource; the store uses the same pool,"
                            + " so set jakarta.persistence.nonJtaDataSource");
        }
        return provider.unwrap(DataSource.class);
    }

    private static String name(EntityManagerFactory given) {
        return "the persistence unit " + given.getName();
    }
}
