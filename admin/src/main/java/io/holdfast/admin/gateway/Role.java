package io.holdfast.admin.gateway;

/** What an operator may do. Each role includes the ones before it. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Replays, discards, pauses, and so on. */
    OPERATOR,
    /** Forces actions that a guard has refused, edits payloads, resets. */
    ADMIN;

    public boolean includes(Role required) {
        return compareTo(required) >= 0;
    }
}
