package io.holdfast.commit;

/**
 * The engine's durable writes, by name. A process can crash before or after each of them, and tests simulate every
 * one of these crashes.
 */
public enum CommitPoint {
    /** The head row of the log is locked; nothing is written yet. */
    LOCK_HEAD,
    WRITE_EVENTS,
    WRITE_ROWS,
    WRITE_TOKENS,
    WRITE_LETTERS,
    /** The items of actions are settled, and resolved letters recorded. */
    WRITE_OUTCOMES,
    WRITE_SNAPSHOTS,
    /** The transaction commits: before this point nothing is durable, after it everything is. */
    COMMIT,
    /** The caller's own transaction commits, together with its outbox entries. */
    OUTBOX_COMMIT,
    /** Outbox entries get their positions. */
    OUTBOX_ASSIGN_POSITIONS,
    OUTBOX_EVICT,
    /** A new epoch starts. */
    EPOCH_RAISE,
    GROUP_REGISTER,
    GROUP_START,
    GROUP_REPORT,
    GROUP_REMOVE,
    /** Services that are live are recorded. */
    SERVICES_RECORD,
    SERVICES_FORGET,
    TOKEN_INITIALIZE,
    TOKEN_CLAIM,
    TOKEN_RENEW,
    TOKEN_RELEASE,
    TOKEN_RENEW_REPLICA,
    /** The definition of a processor changes, together with all its tokens. */
    TOKEN_DEFINE,
    TOKEN_SET_UP,
    TOKEN_SPLIT,
    TOKEN_MERGE,
    TOKEN_PAUSE,
    TOKEN_RESET,
    TOKEN_RESTORE,
    TOKEN_CHANGE_POLICY,
    /** Letters are changed outside the commit units of their segment's owner. */
    LETTERS_CHANGE,
    /** An action becomes durable, with all its items. */
    ACTION_STAGE,
    /** Items are settled outside commit units, because their letters are not attempted. */
    ACTION_SETTLE,
    /** Open items of actions that have expired or were stopped are not tried. */
    ACTION_EXPIRE,
    /** An action is marked as stopped; {@link #ACTION_EXPIRE} settles its items. */
    ACTION_STOP,
    /** Receipts and resolved letters are deleted after their retention time. */
    ACTION_DELETE,
    GUARD_CLAIM,
    GUARD_RENEW,
    GUARD_COMPLETE,
    GUARD_RELEASE,
    WIRE_PUBLISH,
    WIRE_ANNOUNCE;

    /** Called by adapters around each point. It may throw, to simulate a crash there. */
    public interface Observer {

        Observer NONE = new Observer() {
            @Override
            public void before(CommitPoint point) {}

            @Override
            public void after(CommitPoint point) {}
        };

        void before(CommitPoint point);

        void after(CommitPoint point);

        /** Calls {@link #before}, performs the write and calls {@link #after} unless the write failed. */
        default <E extends Exception> void pass(CommitPoint point, Write<E> write) throws E {
            before(point);
            write.perform();
            after(point);
        }

        /** As {@link #pass(CommitPoint, Write)}, and returns the write's result. */
        default <T, E extends Exception> T pass(CommitPoint point, WriteWithResult<T, E> write) throws E {
            before(point);
            T result = write.perform();
            after(point);
            return result;
        }
    }

    /** A durable write, or one of several that become durable together. */
    public interface Write<E extends Exception> {
        void perform() throws E;
    }

    /** A {@link Write} that returns a result. */
    public interface WriteWithResult<T, E extends Exception> {
        T perform() throws E;
    }
}
