package io.holdfast.jpa;

import io.holdfast.HoldfastException;
import io.holdfast.PermanentException;
import io.holdfast.jdbc.SqlErrors;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Which of the two branches an error of JPA belongs to: what the database said decides, if it said something. */
final class PersistenceErrors {

    private static final String GENERAL_ERROR = "HY000";

    private PersistenceErrors() {}

    static HoldfastException of(String what, RuntimeException failure) {
        SQLException answer = find(failure);
        return answer == null
                ? new PermanentException(what + " failed: " + failure.getClass().getName(), failure)
                : SqlErrors.of(what, answer);
    }

    /** What the database said, as a statement of plain JDBC would throw it. */
    static SQLException sql(RuntimeException failure) {
        SQLException answer = find(failure);
        return answer == null ? new SQLException(failure.getClass().getName(), GENERAL_ERROR, failure) : answer;
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
