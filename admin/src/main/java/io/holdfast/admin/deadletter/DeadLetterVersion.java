package io.holdfast.admin.deadletter;

import io.holdfast.deadletter.DeadLetter;

/** The version of an entry, which changes with its letter: for {@code ETag} and {@code If-Match}. */
final class DeadLetterVersion {

    private DeadLetterVersion() {}

    static String of(DeadLetter letter) {
        return letter.lastTouched().toString();
    }
}
