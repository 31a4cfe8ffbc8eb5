package io.holdfast.spring.properties;

/** Where dead letters are stored: {@code framework.dlq.store}. */
public enum LetterStoreKind {
    /** Tables in the log's database, through JDBC. */
    JDBC,
    /** Entities of the service's persistence unit, in the same database. */
    JPA,
    /** The shared cluster. */
    HAZELCAST,
    /** The memory of the process. */
    MEMORY
}
