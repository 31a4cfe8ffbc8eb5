package io.holdfast.spring;

/** What keeps dead letters: {@code framework.dlq.store}. */
public enum LetterStoreKind {
    /** Tables of the log's database, by JDBC. */
    JDBC,
    /** Entities of the service's persistence unit, in the same database. */
    JPA,
    /** The shared cluster. */
    HAZELCAST,
    /** The process. */
    MEMORY
}
