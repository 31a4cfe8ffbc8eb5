package io.holdfast.jdbc;

import java.lang.reflect.Array;
import java.time.OffsetDateTime;
import java.util.UUID;

/** The types of columns that are written in bulk. */
enum ColumnType {
    VARCHAR("varchar", String.class),
    TEXT("text", String.class),
    INT4("int4", Integer.class),
    INT8("int8", Long.class),
    BOOL("bool", Boolean.class),
    UUIDS("uuid", UUID.class),
    TIMESTAMPTZ("timestamptz", OffsetDateTime.class);

    private final String postgresql;
    private final Class<?> element;

    ColumnType(String postgresql, Class<?> element) {
        this.postgresql = postgresql;
        this.element = element;
    }

    /** @return the type's name in PostgreSQL */
    String postgresql() {
        return postgresql;
    }

    /** @return the type's name in H2 */
    String h2() {
        return switch (this) {
            case TEXT -> "varchar";
            case INT4 -> "integer";
            case INT8 -> "bigint";
            case BOOL -> "boolean";
            case TIMESTAMPTZ -> "timestamp(6) with time zone";
            default -> postgresql;
        };
    }

    /** Creates an array of the type's class: only then does the driver send its values unconverted. */
    Object[] array(int length) {
        return (Object[]) Array.newInstance(element, length);
    }
}
