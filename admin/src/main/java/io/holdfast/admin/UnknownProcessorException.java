package io.holdfast.admin;

import io.holdfast.PermanentException;
import java.util.Collection;

/** Somebody has named a processor that the service does not have. */
public final class UnknownProcessorException extends PermanentException {

    UnknownProcessorException(String processor, Collection<String> known) {
        super("there is no processor " + processor + "; there are " + known);
    }
}
