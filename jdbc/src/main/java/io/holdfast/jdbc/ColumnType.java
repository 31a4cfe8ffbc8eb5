package io.holdfast.jdbc;

import java.lang.reflect.Array;
import java.time.OffsetDateTime;
import java.util.UUID;

/** The types that columns have which are written many rows at once. */
enum ColumnType {
    VARCHAR("varchar", String.class),
    TEXT("text", String.class),
    INT4("int4", Integer.class),
    INT8("int8", Long.class),
    UUIDS("uuid", UUID.class),
    TIMESTAMPTZ("timestamptz", OffsetDateTime.class);

    private final String postgresql;
    private final Class<?> element;

    ColumnType(String postgresql, Class<?> element) {
        this.postgresql = postgresql;
        this.element = element;
    }

    /** Its name in PostgreSQL. */
    String postgresql() {
        return postgresql;
    }

    /** The driver sends numbers and texts as they are only in an array of their class. */
    Object[] array(int length) {
        return (Object[]) Array.newInstance(element, length);
    }
}
