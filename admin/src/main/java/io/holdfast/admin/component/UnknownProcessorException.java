package io.holdfast.admin.component;

import io.holdfast.PermanentException;
import java.util.Collection;

/** Thrown if a request references a processor that the service does not have. */
public final class UnknownProcessorException extends PermanentException {

    UnknownProcessorException(String processor, Collection<String> known) {
        super("unknown processor " + processor + "; the processors are " + known);
    }
}
