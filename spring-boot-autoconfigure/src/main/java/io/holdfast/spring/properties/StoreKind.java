package io.holdfast.spring.properties;

/** Where the durable state of a service is stored: {@code framework.store}. */
public enum StoreKind {
    /** In the service's DataSource, or an H2 file if there is none. */
    JDBC,
    /** In the shared cluster. */
    HAZELCAST,
    /** In the memory of the process; no data survives it. */
    MEMORY;

    /** The error if {@link #HAZELCAST} is configured. */
    public static final String NO_HAZELCAST_STORE =
            "framework.store is hazelcast, but must be jdbc or memory; this version has no Hazelcast store";
}
