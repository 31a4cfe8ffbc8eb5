package io.holdfast.commit;

/**
 * The durable side of the committer: adapters implement it, nobody else calls it.
 *
 * <p><b>Thread-safety.</b> Any number of threads and processes may open sessions; the head makes their commits follow one
 * another.
 */
public interface CommitStore {

    /**
     * Opens a transaction that holds nothing yet.
     *
     * @throws io.holdfast.RetryableException if the store is not there
     */
    CommitSession open();
}
