package io.holdfast.admin;

import io.holdfast.PermanentException;
import java.util.List;

/** Somebody has named a component that the service does not have. */
public final class UnknownComponentException extends PermanentException {

    UnknownComponentException(String component, List<String> known) {
        super("there is no component " + component + "; there are " + known
                + ", each also known by its name, or by its processor and name");
    }
}
