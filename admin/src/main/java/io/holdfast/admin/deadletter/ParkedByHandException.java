package io.holdfast.admin.deadletter;

import io.holdfast.PermanentException;

/** The cause of letters that application code has parked. Never thrown. */
public final class ParkedByHandException extends PermanentException {

    private static final long serialVersionUID = 1L;

    private ParkedByHandException() {
        super("parked by hand");
    }
}
