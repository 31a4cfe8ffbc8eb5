package io.holdfast.commit;

/**
 * The durable writes of the engine, by name. A process can die before and after each; tests make it die there, one after
 * another.
 */
public enum CommitPoint {
    /** The head of the log is taken; nothing is written. */
    LOCK_HEAD,
    WRITE_EVENTS,
    WRITE_ROWS,
    WRITE_TOKENS,
    WRITE_LETTERS,
    WRITE_SNAPSHOTS,
    /** The transaction commits: before it nothing happened, after it everything did. */
    COMMIT,
    /** A row-keeping service's own transaction commits, with what it wrote to the outbox. */
    OUTBOX_COMMIT,
    /** Outbox entries are given positions. */
    OUTBOX_ASSIGN_POSITIONS,
    OUTBOX_EVICT,
    /** A new epoch begins. */
    EPOCH_RAISE,
    GROUP_REGISTER,
    GROUP_START,
    GROUP_REPORT,
    GROUP_REMOVE,
    TOKEN_INITIALIZE,
    TOKEN_CLAIM,
    TOKEN_RENEW,
    TOKEN_RELEASE,
    TOKEN_RENEW_REPLICA,
    TOKEN_SET_UP,
    TOKEN_SPLIT,
    TOKEN_MERGE,
    TOKEN_PAUSE,
    TOKEN_RESET,
    TOKEN_RESTORE,
    TOKEN_CHANGE_POLICY,
    /** Letters are changed beside the owner of their segment. */
    LETTERS_CHANGE,
    GUARD_CLAIM,
    GUARD_RENEW,
    GUARD_COMPLETE,
    GUARD_RELEASE,
    WIRE_PUBLISH,
    WIRE_ANNOUNCE;

    /** Told by an adapter when it comes to a point. It may throw, to simulate a crash there. */
    public interface Observer {

        Observer NONE = new Observer() {
            @Override
            public void before(CommitPoint point) {}

            @Override
            public void after(CommitPoint point) {}
        };

        void before(CommitPoint point);

        void after(CommitPoint point);

        /** Passes a point: before, the write, after. */
        default void pass(CommitPoint point, Runnable write) {
            before(point);
            write.run();
            after(point);
        }
    }
}
