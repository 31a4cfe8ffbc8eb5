package io.holdfast.admin.saga;

import java.util.List;

/** The service does not track sagas of this type. */
public final class UnknownSagaTypeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnknownSagaTypeException(String type, String service, List<String> tracked) {
        super("service " + service + " does not track sagas of type " + type + "; it tracks "
                + (tracked.isEmpty() ? "none" : String.join(", ", tracked)));
    }
}
