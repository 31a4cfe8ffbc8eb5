package io.holdfast.event;

import io.holdfast.RetryableException;

/**
 * This version of the service cannot handle what another version has stored: an event type that the aggregate does not
 * know, or a revision above that of the class. Nothing was decided and nothing changed.
 *
 * <p>Retryable, because a replica of the other version can handle it: while two versions run side by side, the same
 * command can succeed elsewhere, and after the update everywhere. A retry by the same replica fails again.
 */
public final class UnsupportedHereException extends RetryableException {

    /**
     * @param problem what this version cannot handle, and on which key
     * @param remedy what to do if no other version is running
     */
    public UnsupportedHereException(String problem, String remedy) {
        super(problem + "; another version of the service may handle it. " + remedy);
    }
}
