package io.holdfast.jpa;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Classifies JPA errors as retryable or permanent, by the database's error if there is one. */
final class PersistenceErrors {

    private static final String GENERAL_ERROR = "HY000";

    private PersistenceErrors() {}

    static HoldfastException of(String what, RuntimeException failure) {
        SQLException sqlError = find(failure);
        return sqlError == null
                ? new PermanentException(what + " failed: " + failure.getClass().getName(), failure)
                : SqlErrors.of(what, sqlError);
    }

    /** @return the database's error, as a plain JDBC statement would throw it */
    static SQLException sql(RuntimeException failure) {
        SQLException sqlError = find(failure);
        return sqlError == null ? new SQLException(failure.getClass().getName(), GENERAL_ERROR, failure) : sqlError;
    }

    static <T> T translateErrors(String what, Supplier<T> read) {
        try {
            return read.get();
        } catch (HoldfastException e) {
            throw e;
        } catch (RuntimeException e) {
            throw of(what, e);
        }
    }

    private static @Nullable SQLException find(Throwable failure) {
        Throwable next = failure;
        while (next != null && !(next instanceof SQLException)) {
            next = next.getCause();
        }
        return (SQLException) next;
    }
}
