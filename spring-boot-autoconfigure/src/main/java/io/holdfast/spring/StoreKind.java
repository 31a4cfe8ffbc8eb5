package io.holdfast.spring;

/** Where the durable state of a service is kept: {@code framework.store}. */
public enum StoreKind {
    /** In the service's DataSource, or an H2 file if there is none. */
    JDBC,
    /** On the shared cluster. */
    HAZELCAST,
    /** In the process, and gone with it. */
    MEMORY
}
