package io.holdfast.admin.component;

import io.holdfast.PermanentException;
import java.util.List;

/** Thrown if a request references a component that the service does not have. */
public final class UnknownComponentException extends PermanentException {

    UnknownComponentException(String component, List<String> known) {
        super("unknown component " + component + "; the components are " + known
                + ", and each can also be given by its name, or by its processor and name");
    }
}
